"""Facebook Pages: `connector.py` reads top to bottom as the platform's own publishing guide.

Files are uploaded unseen; one call makes a post of them, and a video tells whether it was finished.
"""
