"""What each platform takes: captions, options, files, and TikTok's own rules.

The API, the app and connectors read it. `facts.py` is the table of the platforms' `pages`.
"""
