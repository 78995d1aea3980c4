"""Threads: `connector.py` reads top to bottom as the platform's own publishing guide.

A container is made, watched and published, as on Instagram; Threads fetches the file itself.
"""
