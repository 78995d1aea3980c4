"""Files: what they are by their bytes, what platforms demand of them, how a copy is made.

Services and workers call it. A type is never believed by its name, a length never by its claim.
"""
