"""Nonces of servers that ask for proofs: kept for those that were asked last."""

from types import SimpleNamespace
from typing import Any, cast
from urllib.parse import urlsplit

from chalicelib.connectors.shared.auth.dpop import ProvenCalls, new_key
from chalicelib.connectors.shared.calls.http import Call, PlatformHttp

SERVERS = 1_200


class Servers:
    """Answers at any address, each with the nonce of its server."""

    def send(self, call: Call) -> Any:  # noqa: ANN401 - a stand-in
        server = urlsplit(call.url).netloc
        return SimpleNamespace(status=200, headers={"DPoP-Nonce": f"of {server}"})


def test_nonces_of_servers_that_nobody_asks_any_more_are_forgotten() -> None:
    calls, key = ProvenCalls(cast("PlatformHttp", Servers())), new_key()

    for number in range(SERVERS):
        calls.send(Call(method="GET", url=f"https://pds-{number}.example/xrpc"), key)

    assert len(calls._nonces) == 1_000
    assert f"pds-{SERVERS - 1}.example" in calls._nonces
