"""What schemathesis does beyond its own: bodies name real accounts, and shapes keep promises.

`test_fuzzing` starts it with SCHEMATHESIS_HOOKS naming this module.
"""

import json
import os
from typing import Any

import schemathesis
from schemathesis import Case, CheckContext, HookContext, Response

from tests.api.http.endpoint_cases import a_photo

ACCOUNTS: list[str] = json.loads(os.environ.get("FUZZ_ACCOUNTS", "[]"))
PHOTO = a_photo()
BEYOND_A_SCHEMA = {"cursor", "options", "from", "to", "at", "scheduled_at", "until", "name"}
"""Inputs of which a schema cannot tell all: opaque cursors, each platform's options, the years, and
how many characters people count in a label's name.

What is wrong with a body or query as a whole (too large a post, `days` beside `from`) is too.
"""
WHOLE = (["body"], ["query"])


@schemathesis.hook
def map_body(context: HookContext, body: Any) -> Any:  # noqa: ANN401, ARG001 - whatever was made up
    """Name accounts that are connected, and send a photo, so that what lies behind is met."""
    if isinstance(body, dict) and ACCOUNTS:
        for name in ("targets", "add"):
            _name_accounts(body.get(name))
        if isinstance(body.get("file"), bytes | str):
            body["file"] = PHOTO
    return body


def _name_accounts(targets: object) -> None:
    for place, target in enumerate(targets if isinstance(targets, list) else []):
        if isinstance(target, dict) and isinstance(target.get("account_id"), str):
            chosen = (place + len(target["account_id"])) % len(ACCOUNTS)
            target["account_id"] = ACCOUNTS[chosen]


@schemathesis.check
def described_shapes_are_taken(
    ctx: CheckContext,  # noqa: ARG001 - the signature of checks
    response: Response,
    case: Case[Any],
) -> None:
    """Refuse a 422 `detail` to a request that the description calls right."""
    is_right = case.meta is not None and case.meta.generation.mode.is_positive
    if not is_right or response.status_code != 422:
        return
    problems = response.json().get("detail", [])
    odd = [p for p in problems if not (BEYOND_A_SCHEMA & set(p["loc"]) or p["loc"] in WHOLE)]
    assert not odd, f"The description allows what is refused: {odd}"
