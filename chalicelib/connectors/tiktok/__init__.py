"""TikTok: `connector.py` reads top to bottom as the platform's own publishing guide.

The last chunk of a video publishes it, and the creator's settings are read before anything else.
"""
