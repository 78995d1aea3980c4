"""The answer to a request that is not even read: come again in some seconds."""

import json

from chalicelib.kit.asgi.exchange import Send


async def answer_busy(send: Send, message: str) -> None:
    """Answer 503 in the API's form, and end the connection."""
    body = json.dumps({"error": {"code": "busy", "message": message}}).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"retry-after", b"5"),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": body})
