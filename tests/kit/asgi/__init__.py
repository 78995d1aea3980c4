"""The ASGI kit: addresses that proxies name."""
