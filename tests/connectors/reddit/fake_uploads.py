"""The buckets of the fake Reddit: leases with signed fields, and forms that must repeat them.

As S3 does it: the fields in the lease's order, the file last, no token beside them, a policy that
ends after a quarter of an hour, and refusals in XML.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from tests.connectors.reddit.answers import bad_request, form_of
from tests.connectors.support.fake_platform import KEPT_BYTES, Answer, Received, Value, Wrong
from tests.support.frozen_clock import FrozenClock

LEASE_LIFE = timedelta(minutes=15)
SIGNATURE = "90303855c107c968ad"
_LARGEST = {"image": 20_971_520, "video": 1_073_741_824}
_EXTENSIONS = {
    "image/jpeg": "jpeg jpg",
    "image/png": "png",
    "image/gif": "gif",
    "video/mp4": "mp4",
    "video/quicktime": "mov",
}


@dataclass(slots=True)
class Lease:
    """A place in a bucket; `digest` is of what arrived there."""

    asset: str
    mime: str
    fields: list[tuple[str, str]]
    ends_at: datetime
    size: int = 0
    digest: str = ""


class RedditUploads:
    """Leases and what was put there.

    `refusal` is what Reddit answers instead of leasing, `failure` S3 instead of taking a file.
    """

    def __init__(self, clock: FrozenClock, url: str) -> None:
        self.clock = clock
        self.action = url.removeprefix("http:")
        self.leases: dict[str, Lease] = {}
        self.refusal: Answer | None = None
        self.failure: Answer | None = None

    def lease(self, call: Received) -> Answer:
        """Give out a place for a file of a known type."""
        if self.refusal is not None:
            raise Wrong(self.refusal)
        sent = form_of(call, {"api_type", "filepath", "mimetype"})
        mime, name = sent["mimetype"], sent["filepath"]
        ending = name.lower().rpartition(".")[2]
        if not name or "/" in name or ending not in _EXTENSIONS.get(mime, "").split():
            raise Wrong(bad_request())
        asset = f"fk7asset{len(self.leases) + 1:02}"
        fields = [
            ("acl", "private"),
            ("key", asset),
            ("Content-Type", mime),
            ("policy", "cG9saWN5"),
            ("success_action_status", "201"),
            ("x-amz-signature", SIGNATURE),
        ]
        self.leases[asset] = Lease(asset, mime, fields, self.clock() + LEASE_LIFE)
        return Answer(200, self._told(self.leases[asset], name))

    def take(self, call: Received) -> Answer:
        """Put a file in its place."""
        if self.failure is not None:
            raise Wrong(self.failure)
        if "authorization" in call.headers:
            raise Wrong(refusal(400, "InvalidArgument"))
        lease = self._opened(call)
        if self.clock() >= lease.ends_at:
            raise Wrong(refusal(403, "AccessDenied"))
        if call.size > _LARGEST[lease.mime.partition("/")[0]]:
            raise Wrong(too_large(call.size, _LARGEST[lease.mime.partition("/")[0]]))
        lease.size, lease.digest = call.size, call.digest
        text = f"<PostResponse><Key>{lease.asset}</Key></PostResponse>"
        return Answer(201, text.encode(), {"Content-Type": "application/xml"})

    def submitted(self, url: str, kind: str) -> str:
        """Return the asset at an address, if its file has arrived."""
        asset = url.removeprefix(f"https:{self.action}/")
        lease = self.leases.get(asset)
        if lease is None or lease.size == 0 or not lease.mime.startswith(kind):
            raise Wrong(bad_request())
        return asset

    def _opened(self, call: Received) -> Lease:
        if call.size > KEPT_BYTES:  # too big to be kept and read: the newest lease it is
            return self.leases[max(self.leases)]
        *fields, file = call.parts
        sent = [(part.name, part.content.decode()) for part in fields]
        lease = self.leases.get(dict(sent).get("key", ""))
        if lease is None or sent != lease.fields or file.name != "file" or not file.filename:
            raise Wrong(refusal(403, "AccessDenied"))
        if file.mime not in {None, lease.mime}:  # PRAW names none
            raise Wrong(refusal(403, "AccessDenied"))
        return lease

    def _told(self, lease: Lease, name: str) -> Value:
        return {
            "args": {
                "action": self.action,
                "fields": [{"name": name, "value": value} for name, value in lease.fields],
            },
            "asset": {
                "asset_id": lease.asset,
                "processing_state": "incomplete",
                "payload": {"filepath": name},
                "websocket_url": f"wss://fake/{lease.asset}?m=t",
            },
        }


def refusal(status: int, code: str, more: str = "") -> Answer:
    """Return a no as S3 spells it."""
    text = f'<?xml version="1.0"?><Error><Code>{code}</Code><Message>No.</Message>{more}</Error>'
    return Answer(status, text.encode(), {"Content-Type": "application/xml"})


def too_large(size: int, most: int) -> Answer:
    """Return what S3 says to a file that is beyond the policy."""
    sizes = f"<ProposedSize>{size}</ProposedSize><MaxSizeAllowed>{most}</MaxSizeAllowed>"
    return refusal(400, "EntityTooLarge", sizes)
