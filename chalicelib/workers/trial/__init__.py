"""A connector tried on its live platform, by an operator: a real post, read back and deleted.

`connector try` of the command line calls it; no trigger does, and no row of a post is written.
"""
