"""The sandbox platform, which test accounts publish to, steered by words in the caption."""
