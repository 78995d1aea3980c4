"""Where requests come in: Chalice routes, the streaming front, files that platforms fetch.

Doors turn their server's form of a request into `kit/asgi/messages.py` and back.
"""
