"""YouTube: `connector.py` reads top to bottom as the platform's own publishing guide.

The last byte of an upload publishes; its session tells for certain what became of it.
"""
