"""Addresses of files for tests on the embedded engine, which has none: the front serves its files.

    files = S3WithLinks(open_engine(address))  # links that a server of the test answers

What S3 checks of a link itself, such as its time and the bytes that were announced, is a question
for the other engines.
"""

import threading
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import quote, unquote

from botocore.exceptions import ClientError

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.kit.aws_on_sqlite.address import is_embedded
from chalicelib.kit.aws_on_sqlite.engine import open_engine
from chalicelib.kit.aws_on_sqlite.objects import EmbeddedS3

_SEPARATOR = "/"


def give_links(deployment: Deployment) -> None:
    """Let a deployment on the embedded engine make links; on others it does by itself."""
    address = deployment.settings.endpoint_url
    if address is not None and is_embedded(address):
        deployment.clients.s3 = S3WithLinks(open_engine(address))  # type: ignore[assignment]  # as boto3's


class S3WithLinks(EmbeddedS3):
    """The buckets of an engine, with presigned links."""

    def generate_presigned_url(  # type: ignore[override]  # the engine refuses any
        self,
        method: str,
        *,
        Params: dict[str, Any],  # noqa: N803 - boto3's
        **_: object,
    ) -> str:
        """Return an address of a file at this process's server."""
        server = _server()
        server.stores[str(self._engine.folder)] = self
        folder = quote(str(self._engine.folder), safe="")
        key = quote(Params["Key"])
        return f"http://127.0.0.1:{server.server_port}/{folder}/{Params['Bucket']}/{key}?{method}"


class _Server(ThreadingHTTPServer):
    stores: dict[str, EmbeddedS3]


class _Files(BaseHTTPRequestHandler):
    server: _Server

    def _named(self) -> tuple[EmbeddedS3, dict[str, str]]:
        folder, bucket, key = self.path.partition("?")[0][1:].split(_SEPARATOR, 2)
        return self.server.stores[unquote(folder)], {"Bucket": bucket, "Key": unquote(key)}

    def do_PUT(self) -> None:
        store, named = self._named()
        length = int(self.headers["Content-Length"])
        store.put_object(**named, Body=self.rfile.read(length))
        self._answer(200, b"")

    def do_GET(self) -> None:
        store, named = self._named()
        try:
            self._answer(200, store.get_object(**named)["Body"].read())
        except ClientError:
            self._answer(404, b"")

    def _answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@cache
def _server() -> _Server:
    server = _Server(("127.0.0.1", 0), _Files)
    server.stores = {}
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server
