"""Instagram: `connector.py` reads top to bottom as the platform's own publishing guide.

A container is made, watched and published; its own status tells what became of a lost call.
"""
