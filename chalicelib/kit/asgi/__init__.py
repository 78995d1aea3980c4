"""HTTP requests and answers of a server: as plain values (`messages`), and over ASGI.

`exchange` reads a body within limits and makes sure that an answer arrives while the client is
still sending. `forwarded` finds the client's address behind proxies. `messages` imports nothing of
ASGI: requests that come through Lambda use it too.

The API's doors use it, and everything that answers requests.
"""
