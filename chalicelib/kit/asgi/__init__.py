"""A server's request and answer: as plain bytes (`messages`), and while they arrive over ASGI.

`exchange` reads a body in bounds and sees to it that an answer arrives though the client is still
sending, `forwarded` from where a request came before proxies. `messages` imports nothing of ASGI:
Lambda, too, makes its requests of them.

The doors of the API use it, and all that answers requests.
"""
