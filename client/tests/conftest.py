"""The real service, once for the whole run, and what tests call it with."""

import struct
import threading
import zlib
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from answering import Answering, run_answering
from assistants import an_assistant
from command_line import CommandLine
from mcp.client.client import Client as Assistant
from publishing import Publisher, run_publisher
from stack import Stack, run_stack

from goldenhour import Client
from tests.support import loopback_only

pytest_plugins = ["tests.support.costly_tests"]


def pytest_configure(config: pytest.Config) -> None:
    """Stay on this machine."""
    config.pluginmanager.register(loopback_only.guard())


@dataclass(frozen=True, slots=True)
class SharedFolder:
    """A folder whose files are served on loopback."""

    path: Path
    origin: str


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedFolder]:
    """Serve a folder whose address the service is told to trust."""
    path = tmp_path_factory.mktemp("shared")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, directory=str(path))) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield SharedFolder(path, f"http://127.0.0.1:{server.server_port}")
        server.shutdown()
        thread.join()


class _Files(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
        """Stay quiet."""


@pytest.fixture(scope="session")
def publisher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Publisher]:
    """Serve documents whose address and certificate the service is told to trust."""
    with run_publisher(tmp_path_factory.mktemp("site")) as site:
        yield site


@pytest.fixture(scope="session")
def stack(
    tmp_path_factory: pytest.TempPathFactory, shared_folder: SharedFolder, publisher: Publisher
) -> Iterator[Stack]:
    """Start the whole service with its demo workspace."""
    data_dir = tmp_path_factory.mktemp("service") / "data"
    origins = [shared_folder.origin, publisher.origin]
    certificate = publisher.certificate
    with run_stack(data_dir, trusted_origins=origins, certificate=certificate) as running:
        yield running


@pytest.fixture
def client(stack: Stack) -> Iterator[Client]:
    """Return a client with the demo key."""
    with Client(stack.base_url, stack.api_key) as opened:
        yield opened


@pytest.fixture
def command(stack: Stack, tmp_path: Path) -> CommandLine:
    """Return the command `goldenhour`, signed in with the demo key."""
    return _signed_in(stack, tmp_path)


def _signed_in(stack: Stack, folder: Path) -> CommandLine:
    return CommandLine(
        folder=folder,
        environment={
            "GOLDENHOUR_URL": stack.base_url,
            "GOLDENHOUR_API_KEY": stack.api_key,
            "GOLDENHOUR_ZONE": "Europe/Paris",
            "XDG_CONFIG_HOME": str(folder / "config"),
        },
    )


@pytest.fixture(scope="module")
async def assistant(
    stack: Stack, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Assistant]:
    """Start `goldenhour mcp` without options, once: it takes two seconds of processor to begin."""
    async with an_assistant(_signed_in(stack, tmp_path_factory.mktemp("assistant"))) as opened:
        yield opened


@pytest.fixture(scope="session")
def workspace(stack: Stack) -> Mapping[str, str]:
    """Make a workspace of its own with two test accounts and return a key for it."""
    made = stack.operator(
        "workspace", "create", "--name", "Plan", "--plan", "studio", "--timezone", "UTC",
        "--owner-name", "Ada",
    )  # fmt: skip
    for platform in ("linkedin", "bluesky", "pinterest"):
        stack.operator(
            "account", "connect", str(made["workspace_id"]), "--platform", platform,
            "--handle", "bakery", "--test",
        )  # fmt: skip
    key = stack.operator("key", "create", "--member", str(made["member_id"]))
    return {"GOLDENHOUR_URL": stack.base_url, "GOLDENHOUR_API_KEY": str(key["api_key"])}


@pytest.fixture
def importer(workspace: Mapping[str, str], command: CommandLine) -> CommandLine:
    """Return the command with a key of that workspace."""
    return CommandLine(folder=command.folder, environment={**command.environment, **workspace})


@pytest.fixture
def planned(workspace: Mapping[str, str]) -> Iterator[Client]:
    """Return a client of that workspace."""
    with Client(workspace["GOLDENHOUR_URL"], workspace["GOLDENHOUR_API_KEY"]) as client:
        yield client


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    """Return a small photo."""
    path = tmp_path / "photo.png"
    path.write_bytes(png(320, 200))
    return path


@pytest.fixture
def answering() -> Iterator[Answering]:
    """Return a server on loopback that answers what it is told to."""
    with run_answering() as server:
        yield server


@pytest.fixture
def slept() -> list[float]:
    """Return the pauses that were made."""
    return []


@pytest.fixture
def scripted(answering: Answering, slept: list[float]) -> Client:
    """Return a client of that server, which notes its pauses instead of making them."""
    return Client(answering.base_url, "gh_live_key", sleep=slept.append)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Run asynchronous tests on asyncio."""
    return "asyncio"


def png(width: int, height: int, noise: bytes = b"") -> bytes:
    """Return a grey PNG; `noise` pads it with a comment, so that files differ and grow."""
    rows = (b"\0" + b"\x80" * width) * height
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    chunks = [
        (b"IHDR", header),
        (b"tEXt", b"Comment\0" + noise),
        (b"IDAT", zlib.compress(rows)),
        (b"IEND", b""),
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
