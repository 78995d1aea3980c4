"""Answers that cost little to send and much to read. Who: who runs an account server of Bluesky's.

A regular expression that tries each beginning again takes minutes for a megabyte, and no other
thread of the process goes on meanwhile. recheck (makenowjust-labs.github.io/recheck) found these.
"""

import json
import time
from collections.abc import Callable

import pytest

from chalicelib.connectors.bluesky import errors as bluesky
from chalicelib.connectors.linkedin.mentions import read_back
from chalicelib.connectors.shared.calls.platform_words import read_platform_answer
from chalicelib.kit.transport.responses import PlatformResponse
from tests.support.costs import readings_s

_MOST_READINGS = 32
_SENT = ("Rye & spelt today, warm from the oven at seven", "a.e30.c")


def _answer(body: bytes) -> PlatformResponse:
    return PlatformResponse(status=400, headers={}, body=body, sent=_SENT)


def _says(message: str) -> PlatformResponse:
    said = {"error": "InvalidRequest", "message": message}
    return _answer(json.dumps(said).encode())


ANSWERS = {
    "white space": _answer(b"\t" * 100_000),
    "tags": _says("<" * 500_000),
    "references": _says("&#1" * 300_000),
    "addresses": _says("http://a@" * 100_000),
    "secrets": _says("key=" * 200_000),
    "files too big": _says("blob too big " * 40_000 + "external"),
    "fields": _says("Record/" * 100_000),
    "a field without a name": _says("Invalid record: Record/."),
    "keys": _answer(b"{" + b",".join(b'"%d":1' % number for number in range(100_000)) + b"}"),
}


@pytest.mark.parametrize("read", [read_platform_answer, bluesky.error_codes])
@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_no_refusal_takes_long_to_be_read(
    read: Callable[[PlatformResponse], object], answer: PlatformResponse
) -> None:
    began = time.process_time()

    read(answer)

    assert time.process_time() - began < readings_s(_MOST_READINGS)


@pytest.mark.parametrize(
    "text",
    ["{hashtag|#|" + "\\\\" * 18, "{hashtag|#|" * 270, "@[" * 1_500],
    ids=["backslashes", "hashtags", "mentions"],
)
def test_no_text_on_linkedin_takes_long_to_be_read_back(text: str) -> None:
    """Somebody wrote it there by another program: 3,000 signs at most."""
    began = time.process_time()

    assert text.count("#") == read_back(text, {}).count("#")

    assert time.process_time() - began < readings_s(_MOST_READINGS)
