"""The assistant's server over streamable HTTP: it has no key, each request brings its own."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from assistants import call, refused, wait_for
from command_line import CommandLine
from mcp.client.client import Client as Assistant
from mcp.client.streamable_http import streamable_http_client
from stack import Stack, free_port

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def http_server(stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start `goldenhour mcp --http` without any key, once, and return its address."""
    folder, port = tmp_path_factory.mktemp("http"), free_port()
    keyless = {"GOLDENHOUR_URL": stack.base_url, "XDG_CONFIG_HOME": str(folder / "config")}
    command = CommandLine(folder=folder, environment=keyless)
    process = subprocess.Popen(
        command.words("mcp", "--http", "--port", str(port)),
        env=command.whole_environment(),
        cwd=folder,
        stderr=subprocess.PIPE,
    )
    address = f"http://127.0.0.1:{port}/mcp"
    try:
        wait_for(address)
        yield address
    finally:
        process.terminate()
        process.communicate(timeout=240)


async def test_over_http_each_request_works_with_the_key_it_brings(
    http_server: str, stack: Stack
) -> None:
    other = stack.operator(
        "workspace", "create", "--name", "Other", "--plan", "starter", "--timezone", "UTC",
        "--owner-name", "Bo",
    )  # fmt: skip
    key = stack.operator("key", "create", "--member", str(other["member_id"]))

    counted = []
    for api_key in (stack.api_key, str(key["api_key"])):
        bearer = httpx2.AsyncClient(headers={"Authorization": f"Bearer {api_key}"}, timeout=240)
        async with (
            bearer,
            Assistant(streamable_http_client(http_server, http_client=bearer)) as assistant,
        ):
            found = await call(assistant, "list_accounts")
            counted.append(len(found["accounts"]))

    assert [11, 0] == counted


@pytest.fixture
def bytes_of_a_photo(photo: Path) -> bytes:
    """Return what an assistant has on its own machine."""
    return photo.read_bytes()


async def test_over_http_an_assistant_sends_a_file_of_its_own_machine(
    http_server: str, stack: Stack, bytes_of_a_photo: bytes
) -> None:
    content, headers = bytes_of_a_photo, {"Authorization": f"Bearer {stack.api_key}"}

    async with (
        httpx2.AsyncClient(headers=headers, timeout=240) as bearer,
        Assistant(streamable_http_client(http_server, http_client=bearer)) as assistant,
    ):
        tools = {tool.name for tool in (await assistant.list_tools()).tools}
        begun = await call(assistant, "begin_upload", filename="loaf.png", size_bytes=len(content))
        sent = httpx2.request(
            begun["method"], begun["url"], headers=begun["headers"], content=content
        )
        ended = await call(assistant, "finish_upload", media_id=begun["media_id"])

    assert "upload_file" not in tools
    assert sent.is_success
    assert "loaf.png" == ended["file"]["filename"]


async def test_over_http_a_tool_says_which_right_its_key_lacks(
    http_server: str, stack: Stack
) -> None:
    words = ("--name", "Otto", "--role", "editor")
    member = stack.operator("member", "add", stack.workspace_id, *words)
    owner = ("--member", str(member["member_id"]))
    made = stack.operator("key", "create", *owner, "--scopes", "post.write")
    bearer = httpx2.AsyncClient(headers={"Authorization": f"Bearer {made['api_key']}"}, timeout=240)

    async with (
        bearer,
        Assistant(streamable_http_client(http_server, http_client=bearer)) as assistant,
    ):
        known = await call(assistant, "my_key")
        told = await refused(assistant, "list_accounts")

    assert ["post.write"] == known["me"]["scopes"]
    assert 'The key lacks the scope "post.read"' in told


async def test_over_http_nobody_gets_in_without_a_key(http_server: str) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    headers = {"Accept": "application/json, text/event-stream"}

    none = httpx2.post(http_server, json=body, headers=headers)
    wrong = httpx2.post(
        http_server, json=body, headers={**headers, "Authorization": "Bearer gh_live_nonsense"}
    )
    elsewhere = httpx2.post(http_server, json=body, headers={**headers, "Host": "evil.example.net"})

    assert [401, 401] == [none.status_code, wrong.status_code]
    assert "API key" in json.dumps(none.json())
    # RFC 6750, 3.1: nobody is told of an error who sent no token.
    told = ["invalid_token" in one.headers["www-authenticate"] for one in (none, wrong)]
    assert [False, True] == told
    assert 401 == elsewhere.status_code


@pytest.mark.parametrize(
    "spelled", [b"gh_live_se cret1", b"gh_live_secr\xe9t1", b"gh_live_se\tcret1"]
)
async def test_over_http_a_broken_key_is_refused_and_not_shown(
    http_server: str, spelled: bytes
) -> None:
    headers = {b"Accept": b"application/json", b"Authorization": b"Bearer " + spelled}

    refused = httpx2.post(http_server, json={}, headers=headers)

    assert (401, True) == (refused.status_code, "Copy the key again" in refused.text)
    assert "cret1" not in refused.text
    assert "gh_live" not in refused.text


async def test_whether_it_runs_is_told_without_a_key(http_server: str) -> None:
    async with httpx2.AsyncClient() as anybody:
        answer = await anybody.get(http_server.replace("/mcp", "/health"))
        head = await anybody.head(http_server.replace("/mcp", "/health"))

    assert (200, {"ok": True}) == (answer.status_code, answer.json())
    assert (200, b"") == (head.status_code, head.content)
