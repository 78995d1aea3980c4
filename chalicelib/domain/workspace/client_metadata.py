"""What an assistant says about itself: in its registration, or in a document at its client id.

RFC 7591, 2, and draft-ietf-oauth-client-id-metadata-document-01. A document proves one thing: who
controls its address chose the redirect addresses in it. Its logo is neither fetched nor shown.
"""

import json
from collections.abc import Mapping
from typing import Final

from chalicelib.domain.workspace.grants import AssistantClient, short_name
from chalicelib.domain.workspace.redirects import is_redirect_uri
from chalicelib.kit.json_value import whole_number

LONGEST_METADATA: Final = 10_000
"""Bytes. The draft recommends 5 KB; Claude's is longer (github.com/cloudflare/mcp/pull/46)."""
LONGEST_KEPT_S: Final = 300
_NAMELESS = "An assistant"
_SECRETS = ("client_secret", "client_secret_expires_at")


def read_metadata(body: bytes) -> dict[str, object] | None:
    """Return the JSON object in a body, None for anything else and if it is too long."""
    if len(body) > LONGEST_METADATA:
        return None
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def read_description(metadata: Mapping[str, object]) -> tuple[str, tuple[str, ...]] | None:
    """Return the name and the redirect addresses that can be used; None for a wrong form."""
    addresses, name = metadata.get("redirect_uris"), metadata.get("client_name") or ""
    listed = addresses if isinstance(addresses, list) else []
    texts = tuple(one for one in listed if isinstance(one, str))
    if not isinstance(name, str) or not name.strip().isprintable() or len(texts) != len(listed):
        return None
    return short_name(name.strip() or _NAMELESS), tuple(filter(is_redirect_uri, texts))


def read_document(address: str, body: bytes) -> AssistantClient | str:
    """Return the client that the document at an address describes, or why it cannot be used."""
    metadata = read_metadata(body)
    if metadata is None:
        return f"What is at {address} is not the description of an assistant."
    if metadata.get("client_id") != address:
        return f"The description at {address} is of another assistant: its client_id differs."
    if any(name in metadata for name in _SECRETS):
        return f"The description at {address} has a client secret, but it is public."
    if not _goes_without_secret(metadata):
        return f"The description at {address} does not allow token_endpoint_auth_method none."
    described = read_description(metadata)
    if described is None or not described[1]:
        return f"The description at {address} has no valid redirect_uris or client_name."
    return AssistantClient(address, *described)


def _goes_without_secret(metadata: Mapping[str, object]) -> bool:
    """Tell whether a client can do without authentication.

    ChatGPT prefers `private_key_jwt` and lists `none` as well (OpenID Connect RP Metadata Choices).
    """
    several = metadata.get("token_endpoint_auth_methods_supported")
    if isinstance(several, list) and "none" in several:
        return True
    return metadata.get("token_endpoint_auth_method", "none") == "none"


def seconds_kept(cache_control: str) -> int:
    """Return for how long a document may be kept by its Cache-Control, at most five minutes."""
    parts = (part.strip().lower().partition("=") for part in cache_control.split(","))
    said = {name: text.strip('"') for name, _, text in parts}
    if said.keys() & {"no-store", "no-cache", "private"}:
        return 0
    return min(whole_number(said.get("max-age", LONGEST_KEPT_S)) or 0, LONGEST_KEPT_S)
