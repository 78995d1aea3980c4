"""What triggers run: the tick, publishing, uploads, metrics and retention. `app.py` calls them.

Everything here is safe to run twice.
"""
