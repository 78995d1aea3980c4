"""Picnic: `connector.py` reads top to bottom as the platform's own publishing guide.

No key makes a second call harmless, so a lost post is looked for in the account's own list.
"""
