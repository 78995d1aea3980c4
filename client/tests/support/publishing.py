"""A site on loopback that publishes what assistants say about themselves, over TLS."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.connectors.support.fake_platform import Answer
from tests.kit.transport.tls_host import a_tls_host


@dataclass(slots=True)
class Publisher:
    """The site; `documents` are by path."""

    origin: str = ""
    certificate: Path = Path()
    documents: dict[str, bytes] = field(default_factory=dict)

    def publish(self, path: str, **members: object) -> str:
        """Publish a document that names its address as its client id; return that address."""
        address = f"{self.origin}{path}"
        self.documents[path] = json.dumps({"client_id": address, **members}).encode()
        return address

    def answer(self, path: str) -> Answer:
        """Return what is published at a path."""
        return Answer(200, self.documents[path], {"Content-Type": "application/json"})


@contextmanager
def run_publisher(folder: Path) -> Iterator[Publisher]:
    """Serve documents until the block ends."""
    site = Publisher()
    with a_tls_host("localhost", folder, says=site.answer) as host:
        site.origin, site.certificate = f"https://localhost:{host.port}", host.certificate
        yield site
