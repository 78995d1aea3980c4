"""Bluesky: `connector.py` reads top to bottom as the platform's own publishing guide.

A record's key follows from the target, so that writing it twice makes one post.
"""
