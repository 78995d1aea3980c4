"""An assistant without a key, over HTTP: the SDK's own OAuth client, a browser, and the service."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from subprocess import PIPE
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
import requests
from assistants import call, wait_for
from command_line import CommandLine
from mcp.client.auth import OAuthClientProvider
from mcp.client.client import Client as Assistant
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthToken,
)
from publishing import Publisher
from stack import Stack

from goldenhour.assistant.serving import KeyRequired
from tests.support import npm

pytestmark = pytest.mark.anyio

CALLBACK = "http://127.0.0.1:3118/callback"


@pytest.fixture(scope="module")
def assistant_server(stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start `goldenhour mcp --http` where the service says that it is."""
    command = CommandLine(
        folder=tmp_path_factory.mktemp("mcp"), environment={"GOLDENHOUR_URL": stack.base_url}
    )
    port = str(urlsplit(stack.assistant_url).port)
    process = command.start("mcp", "--http", "--port", port)
    try:
        wait_for(stack.assistant_url)
        yield stack.assistant_url
    finally:
        process.terminate()
        process.wait(timeout=240)


@dataclass
class Kept:
    """What an assistant keeps of its own, and the member's browser."""

    browser: httpx2.AsyncClient
    published_at: str | None = None
    tokens: OAuthToken | None = None
    client: OAuthClientInformationFull | None = None
    asked: list[str] = field(default_factory=list)
    _answer: dict[str, list[str]] = field(default_factory=dict)

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info

    async def open_page(self, address: str) -> None:
        """Do what a member does: read the page and press its button."""
        page = await self.browser.get(address)
        assert page.status_code == 200, page.text
        self.asked.append(unescape(re.findall(r"<h1>(.*?)</h1>", page.text)[0]))
        token = re.findall(r'name="form_token" value="([^"]+)"', page.text)[0]
        scopes = re.findall(r'name="scope" value="([^"]+)"', page.text)
        form = {"form_token": token, "scope": scopes, "answer": "allow"}
        answer = await self.browser.post(address, data=form)
        assert answer.status_code == 303, answer.text
        location = answer.headers["location"]
        assert location.startswith(CALLBACK)
        self._answer = parse_qs(urlsplit(location).query)

    async def come_back(self) -> AuthorizationCodeResult:
        answer = {name: values[0] for name, values in self._answer.items()}
        return AuthorizationCodeResult(
            code=answer["code"], state=answer["state"], iss=answer["iss"]
        )

    def provider(self, server: str) -> OAuthClientProvider:
        """Return the SDK's own OAuth client."""
        return OAuthClientProvider(
            server,
            OAuthClientMetadata(client_name="Otto", redirect_uris=[CALLBACK]),
            self,
            self.open_page,
            self.come_back,
            client_metadata_url=self.published_at,
        )


@pytest.fixture
def sign_in_link(stack: Stack) -> str:
    """Return a link that signs the demo's owner in."""
    members = stack.operator("member", "list", stack.workspace_id)["data"]
    assert isinstance(members, list)
    link = str(stack.operator("member", "sign-in", members[0]["member_id"])["url"])
    return link.replace("//localhost:", "//127.0.0.1:")  # where the service leads assistants


async def accounts(server: str, kept: Kept) -> int:
    """Connect with what the assistant has kept; return how many accounts it sees."""
    http = httpx2.AsyncClient(auth=kept.provider(server), timeout=240)
    async with http, Assistant(streamable_http_client(server, http_client=http)) as assistant:
        return len((await call(assistant, "list_accounts"))["accounts"])


async def lists_over_an_hour(server: str, kept: Kept) -> tuple[list[int], OAuthToken | None]:
    """Count the accounts before and after a renewal; return the first tokens, too."""
    provider = kept.provider(server)
    http = httpx2.AsyncClient(auth=provider, timeout=240)
    opened = streamable_http_client(server, http_client=http)
    async with http, Assistant(opened) as assistant:
        first, got = await call(assistant, "list_accounts"), kept.tokens
        provider.context.token_expiry_time = 1.0  # the SDK believes that the hour is over
        second = await call(assistant, "list_accounts")
    return [len(seen["accounts"]) for seen in (first, second)], got


async def test_an_assistant_without_a_key_is_allowed_in_the_app_and_renews_what_it_got(
    assistant_server: str, stack: Stack, sign_in_link: str
) -> None:
    async with httpx2.AsyncClient(timeout=240) as browser:
        assert (await browser.post(sign_in_link)).status_code == 303
        kept = Kept(browser)

        seen, got = await lists_over_an_hour(assistant_server, kept)
        renewed = kept.tokens
        seen.append(await accounts(assistant_server, kept))

    assert [11, 11, 11] == seen
    assert ["Allow Otto to use Demo as Demo owner?"] == kept.asked
    assert got is not None
    assert renewed is not None
    statuses = [
        httpx2.get(
            f"{stack.base_url}/v1/posts", headers={"Authorization": f"Bearer {key}"}
        ).status_code
        for key in (got.access_token, renewed.access_token)
    ]
    assert [401, 200] == statuses


async def test_an_assistant_that_was_restarted_renews_without_asking_again(
    assistant_server: str, sign_in_link: str
) -> None:
    """The SDK keeps no metadata: it asks for new tokens where it reaches the assistants' server."""
    async with httpx2.AsyncClient(timeout=240) as browser:
        assert (await browser.post(sign_in_link)).status_code == 303
        kept = Kept(browser)
        await accounts(assistant_server, kept)
        got = kept.tokens

        provider = kept.provider(assistant_server)
        await provider._initialize()
        provider.context.token_expiry_time = 1.0  # it has kept when the hour is over
        http = httpx2.AsyncClient(auth=provider, timeout=240)
        opened = streamable_http_client(assistant_server, http_client=http)
        async with http, Assistant(opened) as assistant:
            seen = await call(assistant, "list_accounts")

    assert 11 == len(seen["accounts"])
    assert 1 == len(kept.asked)
    assert kept.tokens != got


async def test_an_assistant_that_publishes_a_document_is_known_by_its_address(
    assistant_server: str, publisher: Publisher, sign_in_link: str
) -> None:
    """The SDK registers nowhere and sends the address as its client id, also to renew."""
    address = publisher.publish("/otto.json", client_name="Otto", redirect_uris=[CALLBACK])
    async with httpx2.AsyncClient(timeout=240) as browser:
        assert (await browser.post(sign_in_link)).status_code == 303
        kept = Kept(browser, published_at=address)

        seen, got = await lists_over_an_hour(assistant_server, kept)

    assert [11, 11] == seen
    assert kept.client is not None
    assert address == kept.client.client_id
    assert ["Allow Otto to use Demo as Demo owner?"] == kept.asked
    assert kept.tokens != got


def test_a_token_request_is_answered_as_the_service_does(
    assistant_server: str, stack: Stack
) -> None:
    asked = {"grant_type": "refresh_token", "refresh_token": "nothing", "client_id": "nobody"}

    here = httpx2.post(httpx2.URL(assistant_server).join("/token"), data=asked)
    there = httpx2.post(f"{stack.base_url}/app/oauth/token", data=asked)
    long = httpx2.post(httpx2.URL(assistant_server).join("/token"), data={"code": "x" * 20_000})

    assert there.headers["pragma"] == here.headers["pragma"] == "no-cache"
    assert (there.status_code, there.json()) == (here.status_code, here.json())
    assert (401, "no-store") == (here.status_code, here.headers["cache-control"])
    assert {"error": "invalid_request"} == long.json()


async def test_an_assistant_whose_grant_was_revoked_must_ask_again(
    assistant_server: str, stack: Stack, sign_in_link: str
) -> None:
    async with httpx2.AsyncClient(timeout=240) as browser:
        assert (await browser.post(sign_in_link)).status_code == 303
        kept = Kept(browser)
        await accounts(assistant_server, kept)
        keys = stack.operator("key", "list", stack.workspace_id)["data"]
        assert isinstance(keys, list)
        [mine] = [key["key_id"] for key in keys if key["name"] == "Otto (127.0.0.1)"][-1:]
        stack.operator("key", "revoke", mine)

        seen = await accounts(assistant_server, kept)

    assert 11 == seen
    assert 2 == len(kept.asked)


def test_the_server_says_who_lets_people_in(assistant_server: str, stack: Stack) -> None:
    refused = httpx2.post(assistant_server, json={"jsonrpc": "2.0", "id": 1, "method": "ping"})
    challenge = refused.headers["www-authenticate"]
    found = re.fullmatch(r'Bearer resource_metadata="([^"]+)"', challenge)
    assert found is not None, challenge

    metadata = httpx2.get(found[1]).json()

    assert 401 == refused.status_code
    assert stack.assistant_url == metadata["resource"]
    assert [stack.base_url] == metadata["authorization_servers"]


@pytest.mark.parametrize(
    ("path", "method"),
    [
        ("/mcp", "POST"),
        ("/token", "POST"),
        ("/.well-known/oauth-protected-resource/mcp", "GET"),
    ],
)
def test_an_assistant_in_a_web_page_may_ask_and_read(
    assistant_server: str, path: str, method: str
) -> None:
    """Fetch Standard, 3.3: a browser asks first, without a key, and shows a page what it may."""
    address = httpx2.URL(assistant_server).join(path)
    names = "authorization,content-type,mcp-protocol-version"
    asked = {"Access-Control-Request-Method": method, "Access-Control-Request-Headers": names}
    page = {"Origin": "https://inspector.example"}

    first = httpx2.options(address, headers={**page, **asked})
    answer = httpx2.request(method, address, headers=page)

    assert 200 == first.status_code
    told = first.headers["access-control-allow-headers"].split(",")
    assert {*names.split(",")} <= {name.strip().lower() for name in told}
    assert method in first.headers["access-control-allow-methods"]
    for one in (first, answer):
        assert "*" == one.headers["access-control-allow-origin"]
        assert "access-control-allow-credentials" not in one.headers
    assert "WWW-Authenticate" == answer.headers["access-control-expose-headers"]


@pytest.fixture(scope="module")
def strict_client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a program that connects by oauth4webapi, installed as the lock file names it."""
    folder = tmp_path_factory.mktemp("oauth4webapi")
    for file in (Path(__file__).parent / "oauth4webapi").iterdir():
        shutil.copy(file, folder)
    npm.install(folder, "oauth4webapi")
    return folder / "flow.mjs"


@pytest.mark.node
@pytest.mark.timeout(120)
def test_a_client_that_takes_the_rfcs_to_the_letter_finds_nothing_wrong(
    assistant_server: str, sign_in_link: str, strict_client: Path
) -> None:
    """RFC 6749, 6750, 7009, 7591, 8414, 8707, 9207 and 9728, as oauth4webapi reads them."""
    presses, told = ["allow", "allow", "refuse"], dict[str, object]()
    (node,) = npm.found("node")
    words = [node, str(strict_client), assistant_server]
    with (
        httpx2.Client(timeout=240) as browser,
        subprocess.Popen(words, stdin=PIPE, stdout=PIPE, text=True) as flow,
    ):
        browser.post(sign_in_link)
        assert flow.stdin is not None
        assert flow.stdout is not None
        for line in flow.stdout:
            told = json.loads(line)
            if "open" in told:
                led_to = pressed(browser, str(told["open"]), presses.pop(0))
                flow.stdin.write(f"{led_to}\n")
                flow.stdin.flush()

    assert told == {
        "resource": assistant_server,
        "scope": "post.read post.write",
        "used": 200,
        "twice": "invalid_grant",
        "ended": "invalid_token",
        "elsewhere": "invalid_target",
        "givenBack": "invalid_grant",
        "refused": "access_denied",
        "wrong": "invalid_redirect_uri",
    }


def pressed(browser: httpx2.Client, address: str, answer: str) -> str:
    """Press a button of the page that asks; return where it leads."""
    page = browser.get(address).text
    (token,) = re.findall(r'name="form_token" value="([^"]+)"', page)[:1]
    form = {"form_token": token, "scope": ["post.read", "post.write"], "answer": answer}
    return browser.post(address, data=form).headers["location"]


@pytest.mark.parametrize(("answers", "status"), [(None, 503), (404, 404), (502, 503)])
async def test_who_lets_people_in_is_unknown_only_for_a_while(
    monkeypatch: pytest.MonkeyPatch, answers: int | None, status: int
) -> None:
    """A client that is told 404 does not ask again: it takes OAuth for missing."""

    def get(*_: object, **__: object) -> requests.Response:
        if answers is None:
            raise requests.ConnectionError
        answer = requests.Response()
        answer.status_code = answers
        return answer

    async def nothing(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(requests, "get", get)
    server = httpx2.ASGITransport(app=KeyRequired(nothing, "https://post.example"))
    async with httpx2.AsyncClient(transport=server, base_url="http://here") as anybody:
        answer = await anybody.get("/.well-known/oauth-protected-resource/mcp")

    assert status == answer.status_code
