"""LinkedIn: `connector.py` reads top to bottom as the platform's own publishing guide.

Sent once more, a post that is there is refused as a duplicate and named: that settles a lost call.
"""
