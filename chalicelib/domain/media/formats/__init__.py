"""Parsers of hostile bytes: sizes and lengths read from headers by few, bounded reads.

`probing.py` calls them. Each ends within its budget of reads, in a size or in UnsupportedMedia.
"""
