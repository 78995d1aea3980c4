"""A real Bluesky account server in a process of its own, and a relay in front of it.

The relay passes every call on and can lose answers on the way (`strike`); it also plays what the
server is not: the video service, which stores through the server as the real one does, and the
public view. Tests that need it are skipped, with the reason, where Node or npm is missing.
"""

import fcntl
import http.client
import json
import os
import shutil
import subprocess
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest

from tests.connectors.bluesky.fake_video import PlayedVideoService
from tests.connectors.support.fake_platform import Answer, FakePlatform, Received, Value, Wrong
from tests.support.free_port import free_port

SOURCE = Path(__file__).parents[2] / "servers" / "bluesky"
BUILD = Path(__file__).parents[3] / "build" / "pds"
HANDLE = "alice.test"
PASSWORD = "alice-pass"
_INSTALL_S = 420
_PASSED_ON = ("authorization", "content-type", "dpop")


@dataclass(frozen=True, slots=True)
class BlueskyServer:
    """A running server with Alice's account."""

    url: str
    issuer: str
    directory: str
    did: str
    process: "subprocess.Popen[str]" = field(repr=False)

    def stop(self) -> None:
        """End it; it ends with its standard input."""
        self.process.communicate()


def start_bluesky_server(ports: tuple[int, int] | None = None) -> BlueskyServer:
    """Install the server if it is not there, start it and wait until it says that it is ready.

    `ports` are its own and its directory's, where somebody must know them beforehand.
    """
    node = install_bluesky_server()
    port, directory_port = ports or (free_port(), free_port())
    environment = {
        **os.environ,
        "PORT": str(port),
        "PLC_PORT": str(directory_port),
        "STOP_ON_STDIN_CLOSE": "1",
        "SEED": f"{HANDLE.partition('.')[0]}:{PASSWORD}",
    }
    process = subprocess.Popen(
        [node, "start.mjs"],
        cwd=BUILD,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    ready = json.loads(process.stdout.readline())
    did = ready["accounts"][0]["did"]
    return BlueskyServer(ready["url"], ready["issuer"], ready["plcUrl"], did, process)


def install_bluesky_server() -> str:
    """Install the server and its client library, once; return how Node is called.

    Workers of one test run take turns: two installations at once would spoil the folder.
    """
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        pytest.skip("Node.js and npm are not here, so Bluesky's own code cannot run.")
    BUILD.mkdir(parents=True, exist_ok=True)
    with (BUILD / "installing.lock").open("w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        _install(npm)
        shutil.copy(SOURCE / "start.mjs", BUILD)
    return node


def _install(npm: str) -> None:
    installed = BUILD / "installed-lock.json"
    lock = SOURCE / "package-lock.json"
    if installed.exists() and installed.read_text() == lock.read_text():
        return
    for name in ("package.json", "package-lock.json"):
        shutil.copy(SOURCE / name, BUILD)
    command = (npm, "ci", "--no-audit", "--no-fund", "--fetch-retries=1")
    # Its SQLite is compiled here: optimized, that takes three times as long for little use.
    plainly = {**os.environ, "CFLAGS": "-O0", "CXXFLAGS": "-O0"}
    try:
        subprocess.run(
            command, cwd=BUILD, env=plainly, capture_output=True, timeout=_INSTALL_S, check=True
        )
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        pytest.skip("npm could not install Bluesky's own server (no registry, no compiler?).")
    shutil.copy(lock, installed)


class BlueskyRelay(FakePlatform):
    """Passes calls on to the real server; plays directory, video service and public view."""

    def __init__(self, server: BlueskyServer) -> None:
        super().__init__()
        self.server = server
        self.videos = PlayedVideoService(lambda _: None, self._keep_video, server.did)

    def answer(self, call: Received) -> Answer:
        of_video = self.videos.answer(call)
        if of_video is not None:
            return of_video
        match call.path.removeprefix("/xrpc/"):
            case "app.bsky.feed.getPosts":
                return self._posts(call.query["uris"])
        if call.path.startswith("/did:"):
            return self._document(call)
        return pass_on(self.server.url, call)

    def _document(self, call: Received) -> Answer:
        """Name the relay as the account's server."""
        answer = pass_on(self.server.directory, call)
        document = json.loads(answer.body)
        for service in document["service"]:
            service["serviceEndpoint"] = self.url
        return Answer(answer.status, document)

    def _keep_video(self, whole: Received) -> Value:
        """Store a video on the account's server under the pass that came with it."""
        upload = replace(whole, path="/xrpc/com.atproto.repo.uploadBlob", query={})
        stored = pass_on(self.server.url, upload)
        if stored.status != 200:
            raise Wrong(stored)
        return json.loads(stored.body)["blob"]

    def _posts(self, uri: str) -> Answer:
        found = [] if self.record(uri) is None else [{"uri": uri, "likeCount": 3}]
        return Answer(200, {"posts": found})

    def record(self, uri: str) -> Value:
        """Return the record that stands at an address on the real server, or None."""
        repo, collection, rkey = uri.removeprefix("at://").split("/")
        query = {"repo": repo, "collection": collection, "rkey": rkey}
        status, body, _ = _exchange(
            self.server.url, "GET", f"/xrpc/com.atproto.repo.getRecord?{urlencode(query)}"
        )
        return json.loads(body)["value"] if status == 200 else None

    def records(self, collection: str = "app.bsky.feed.post") -> list[Value]:
        """Return all that the account has published."""
        query = urlencode({"repo": self.server.did, "collection": collection, "limit": "100"})
        _, body, _ = _exchange(
            self.server.url, "GET", f"/xrpc/com.atproto.repo.listRecords?{query}"
        )
        return [found["value"] for found in json.loads(body)["records"]]

    def ask(self, name: str, body: Value, token: str | None = None) -> Value:
        """Call a method of the real server, as somebody other than the product."""
        headers = {"content-type": "application/json"} if body is not None else {}
        if token is not None:
            headers["authorization"] = f"Bearer {token}"
        content = b"" if body is None else json.dumps(body).encode()
        _, answer, _ = _exchange(self.server.url, "POST", f"/xrpc/{name}", content, headers)
        return json.loads(answer) if answer else None


def pass_on(host: str, call: Received) -> Answer:
    """Pass a call on to a server, and its answer back."""
    query = f"?{urlencode(call.query)}" if call.query else ""
    headers = {name: call.headers[name] for name in _PASSED_ON if name in call.headers}
    status, body, kept = _exchange(host, call.method, call.path + query, call.body, headers)
    return Answer(status, body, kept)


def _exchange(
    host: str, method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None
) -> tuple[int, bytes, dict[str, str]]:
    place = urlsplit(host)
    with ExitStack() as stack:
        connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=240)
        stack.callback(connection.close)
        connection.request(method, path, body or None, headers or {})
        answer = connection.getresponse()
        kept = {"Content-Type": answer.headers.get("content-type", "")}
        if "dpop-nonce" in answer.headers:
            kept["DPoP-Nonce"] = answer.headers["dpop-nonce"]
        return answer.status, answer.read(), kept
