"""What an assistant's document may say: draft-ietf-oauth-client-id-metadata-document-01.

The accepted ones are those that makers publish, as these reports have them:
github.com/django-oauth/django-oauth-toolkit/issues/1845 (ChatGPT), anthropics/claude-code/issues/
42301 (Claude Code), anomalyco/opencode/pull/47737 (opencode).
"""

import json
from collections.abc import Mapping

import pytest

from chalicelib.domain.workspace.client_metadata import (
    LONGEST_METADATA,
    read_document,
    seconds_kept,
)
from chalicelib.domain.workspace.grants import AssistantClient, read_client
from chalicelib.domain.workspace.redirects import LONGEST_ADDRESS, is_client_address

ADDRESS = "https://otto.example/client.json"
CALLBACK = "https://otto.example/callback"
CHATGPT: Mapping[str, object] = {
    "client_id": "https://chatgpt.com/oauth/client.json",
    "client_uri": "https://chatgpt.com/",
    "redirect_uris": ["https://chatgpt.com/connector_platform_oauth_redirect"],
    "token_endpoint_auth_method": "private_key_jwt",
    "token_endpoint_auth_methods_supported": ["none", "private_key_jwt"],
    "grant_types": ["authorization_code", "refresh_token"],
    "response_types": ["code"],
    "client_name": "ChatGPT",
    "logo_uri": "https://persistent.oaistatic.com/sonic/misc/openai-logo.png",
    "token_endpoint_auth_signing_alg": "RS256",
    "jwks_uri": "https://chatgpt.com/oauth/jwks.json",
}
CLAUDE_CODE: Mapping[str, object] = {
    "client_id": "https://claude.ai/oauth/claude-code-client-metadata",
    "client_name": "Claude Code",
    "redirect_uris": ["http://localhost/callback", "http://127.0.0.1/callback"],
    "token_endpoint_auth_method": "none",
}
OPENCODE: Mapping[str, object] = {
    "client_id": "https://opencode.ai/oauth/opencode/client.json",
    "client_name": "opencode",
    "application_type": "native",
    "redirect_uris": ["http://127.0.0.1/callback", "http://localhost/callback"],
    "token_endpoint_auth_method": "none",
    "token_endpoint_auth_methods_supported": ["none"],
}


def described(**members: object) -> bytes:
    """Return a document with other members than usual; None leaves one out."""
    usual = {"client_id": ADDRESS, "client_name": "Otto", "redirect_uris": [CALLBACK]}
    sent = {name: value for name, value in {**usual, **members}.items() if value is not None}
    return json.dumps(sent).encode()


@pytest.mark.parametrize(
    "text",
    [
        ADDRESS,
        "https://otto.example/",
        "https://otto.example:8443/client",
        "https://otto.example/client?version=2",
        "https://xn--tto-fsa.example/a..b/.well-known/...",
        "https://o/".ljust(LONGEST_ADDRESS, "x"),
    ],
)
def test_an_address_is_the_id_of_a_client_of_which_nothing_else_is_known(text: str) -> None:
    assert is_client_address(text)
    assert AssistantClient(text, "", ()) == read_client(text)


@pytest.mark.parametrize(
    "text",
    [
        "http://otto.example/client.json",
        "HTTPS://otto.example/client.json",
        "https:/otto.example/client.json",
        "https://otto.example",
        "https://otto.example?client.json",
        "https:///client.json",
        "https://ada@otto.example/client.json",
        "https://ada:secret@otto.example/client.json",
        "https://@otto.example/client.json",
        "https://otto.example/client.json#otto",
        "https://otto.example/client.json#",
        "https://otto.example/./client.json",
        "https://otto.example/a/../client.json",
        "https://otto.example/a/..",
        "https://otto.example/%2e%2E/client.json",
        "https://otto.example/a%2f..%2fclient.json",
        "https://otto.example\\@evil.example/client.json",
        "https://otto.example/client json",
        "https://óttó.example/client.json",
        "https://otto.example:port/client.json",
        "https://[::2]/client.json",
        "https://o/".ljust(LONGEST_ADDRESS + 1, "x"),
        "otto.example/client.json",
        "",
    ],
)
def test_no_other_text_is_one(text: str) -> None:
    assert not is_client_address(text)
    assert read_client(text) is None


@pytest.mark.parametrize(
    "published", [CHATGPT, CLAUDE_CODE, OPENCODE], ids=lambda p: p["client_id"]
)
def test_what_makers_publish_is_accepted(published: Mapping[str, object]) -> None:
    found = read_document(str(published["client_id"]), json.dumps(published).encode())

    assert isinstance(found, AssistantClient), found
    assert published["client_name"] == found.name
    assert published["redirect_uris"] == list(found.redirect_uris)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"", "is not the description of an assistant"),
        (b"<html>", "is not the description of an assistant"),
        (b"[]", "is not the description of an assistant"),
        (b"[" * 9_000, "is not the description of an assistant"),
        (b'"\xff"', "is not the description of an assistant"),
        (described(more="x" * LONGEST_METADATA), "is not the description of an assistant"),
        (described(client_id=None), "is of another assistant"),
        (described(client_id="https://otto.example/other.json"), "is of another assistant"),
        (described(client_id="https://OTTO.example/client.json"), "is of another assistant"),
        (described(client_id="https://otto.example:443/client.json"), "is of another assistant"),
        (described(client_id="https://otto.example./client.json"), "is of another assistant"),
        (described(client_id="https://otto.example/%63lient.json"), "is of another assistant"),
        (described(client_id=[ADDRESS]), "is of another assistant"),
        (described(client_secret="s"), "has a client secret"),
        (described(client_secret_expires_at=0), "has a client secret"),
        (described(token_endpoint_auth_method="client_secret_post"), "auth_method none"),
        (described(token_endpoint_auth_method="client_secret_basic"), "auth_method none"),
        (described(token_endpoint_auth_method="client_secret_jwt"), "auth_method none"),
        (described(token_endpoint_auth_method="private_key_jwt"), "auth_method none"),
        (described(token_endpoint_auth_method=["none"]), "auth_method none"),
        (described(redirect_uris=None), "has no valid redirect_uris"),
        (described(redirect_uris=[]), "has no valid redirect_uris"),
        (described(redirect_uris=CALLBACK), "has no valid redirect_uris"),
        (described(redirect_uris=[CALLBACK, 1]), "has no valid redirect_uris"),
        (described(redirect_uris=["http://otto.example/"]), "has no valid redirect_uris"),
        (described(redirect_uris=["https://a@otto.example/"]), "has no valid redirect_uris"),
        (described(client_name="Otto\n"+"x"), "or client_name"),
        (described(client_name="\u202eottO"), "or client_name"),
        (described(client_name="\ud800"), "or client_name"),
        (described(client_name=["Otto"]), "or client_name"),
    ],
    ids=lambda value: str(value)[:70],
)  # fmt: skip
def test_a_document_that_cannot_be_used_is_refused_with_the_reason(body: bytes, why: str) -> None:
    found = read_document(ADDRESS, body)

    assert isinstance(found, str)
    assert ADDRESS in found
    assert why in found


def test_addresses_that_cannot_be_used_are_left_out() -> None:
    addresses = ["cursor://otto/", CALLBACK, "http://localhost/callback"]

    found = read_document(ADDRESS, described(redirect_uris=addresses))

    assert AssistantClient(ADDRESS, "Otto", tuple(addresses[1:])) == found


@pytest.mark.parametrize(
    ("name", "shown"), [(None, "An assistant"), (" Otto ", "Otto"), ("x" * 41, "x" * 39 + "…")]
)
def test_a_name_is_short_or_none(name: str | None, shown: str) -> None:
    found = read_document(ADDRESS, described(client_name=name))

    assert isinstance(found, AssistantClient)
    assert shown == found.name


@pytest.mark.parametrize(
    ("cache_control", "seconds"),
    [
        ("", 300),
        ("public", 300),
        ("max-age=60", 60),
        ("public, Max-Age=60, immutable", 60),
        ('max-age="60"', 60),
        ("max-age=86400", 300),
        ("max-age=0", 0),
        ("max-age=-1", 0),
        ("max-age=" + "9" * 5_000, 0),
        ("max-age", 0),
        ("no-store", 0),
        ("no-cache, max-age=60", 0),
        ("private, max-age=60", 0),
        ('no-cache="set-cookie", max-age=60', 0),
    ],
)  # fmt: skip
def test_a_document_is_kept_as_long_as_it_says_and_at_most_five_minutes(
    cache_control: str, seconds: int
) -> None:
    """The draft, 4.4; RFC 9111, 5.2.2."""
    assert seconds == seconds_kept(cache_control)
