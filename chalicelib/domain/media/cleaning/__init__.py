"""Removes private metadata from files: the head is rewritten, the picture is not touched.

Pure functions over bytes. `photos` and `movies` are its entry points. docs/media.md.
"""
