"""Threads: `connector.py` reads top to bottom as the platform's own publishing guide."""
