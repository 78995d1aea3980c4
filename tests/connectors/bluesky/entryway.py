"""Bluesky's entryway, played: it knows handles and opens sessions, and is nobody's server.

Accounts hosted by Bluesky find it at the address that they type in; their records live on a server
of their own, which their DID document names. What live answers say is said here word for word.
"""

from tests.connectors.bluesky.server import BlueskyServer, pass_on
from tests.connectors.support.fake_platform import Answer, FakePlatform, Received

_KNOWS = frozenset({"com.atproto.identity.resolveHandle", "com.atproto.server.createSession"})


class Entryway(FakePlatform):
    """Refuses what belongs to an account's own server."""

    def __init__(self, server: BlueskyServer) -> None:
        super().__init__()
        self.hosted_on = server

    @property
    def did(self) -> str:
        """What the entryway calls itself: no account's server."""
        return "did:web:127.0.0.1"

    def answer(self, call: Received) -> Answer:
        name = call.path.removeprefix("/xrpc/")
        if name in _KNOWS:
            return pass_on(self.hosted_on.url, call)
        if name == "com.atproto.server.describeServer":
            return Answer(200, {"did": self.did, "availableUserDomains": [".test"]})
        message = "OAuth tokens are meant for PDS access only"
        return Answer(401, {"error": "InvalidToken", "message": message})
