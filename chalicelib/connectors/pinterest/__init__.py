"""Pinterest: `connector.py` reads top to bottom as the platform's own publishing guide.

A pin belongs to a board; a lost one is looked for among the board's pins.
"""
