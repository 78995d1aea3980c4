"""The key on its way into a header, and out of every sentence that is read.

A key from a file or a secret store often has a line end; HTTP's own complaint about such a header
shows the whole of it.
"""

import re

import requests
from requests.auth import AuthBase

_WRONG = re.compile(r"[^!-~]")
_KEY = re.compile(r"(gh_live_)[!-~]+")


class Bearer(AuthBase):
    """Puts the key into the header; an auth of our own also keeps a .netrc from replacing it."""

    def __init__(self, api_key: str) -> None:
        self._api_key = clean_key(api_key)

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        """Sign a request."""
        request.headers["Authorization"] = f"Bearer {self._api_key}"
        return request


def clean_key(api_key: str) -> str:
    """Return a key without the spaces and line ends around it. Raises ValueError, never with it."""
    trimmed = api_key.strip().strip("\ufeff").strip()
    if (wrong := _WRONG.search(trimmed)) is None:
        return trimmed
    raise ValueError(
        f"The API key has a character that no key has, at place {wrong.start() + 1} of"
        f" {len(trimmed)}: a space, a line end or a letter with an accent. Copy the key again."
    )


def hide_keys(text: str) -> str:
    """Return a sentence in which no key can be read, as one that was typed for something else."""
    return _KEY.sub(r"\1…", text)
