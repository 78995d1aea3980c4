"""What each of the eleven platforms takes: captions, options, files, and TikTok's own rules.

The API, the app and connectors read it. A new platform begins in `platform.py`.
"""
