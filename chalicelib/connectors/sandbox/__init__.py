"""The sandbox platform, which test accounts publish to, steered by words in the caption.

No network: posts are kept by `storage/sandbox`, under the rules of the platform that it plays.
"""
