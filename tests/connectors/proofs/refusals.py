"""Writes docs/connectors/refusals.md: every refusal that a connector knows, played as it comes in.

python -m tests.connectors.proofs.refusals > docs/connectors/refusals.md
"""

import logging
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import cast

from chalicelib.connectors.shared.calls.failures import ErrorEntry, complete_entry
from chalicelib.connectors.shared.own_refusals import OwnRefusal, Shared
from chalicelib.domain.blame import blame_of
from chalicelib.domain.engine.what_follows import after_the_last_try
from chalicelib.domain.outcome import Failed, FailureCode, Outcome
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.transport.responses import PlatformResponse
from chalicelib.workers.publishing.error_mapping import answer_of, explain
from tests.connectors.support.playing import SAID_LATER, answering, closed_rig, play
from tests.connectors.support.rig import Rig
from tests.support.frozen_clock import NOON

_HEAD = """# What each refusal becomes

Written by `make tables` from the connectors' own tables. Each row was played to a test account as
the platform spells it (`sandbox:answer`, [api.md](../api.md#sandbox)): the code and the sentence
are what its target ends with. The platform's own words, if it said any, follow the sentence and
stand in `attempts`.

- **Platform's code**: as the platform writes it, `HTTP` and a status, or a status and a code. What
  a platform tells by words, a header or a list alone has a name of ours, such as `said restricted`
  or `403 trial`; `plain no` is every refusal with a code that no other row has.
- **Whose**: who or what has to change before the platform takes the post: the *person* who
  connected the account, the *account*, the *file*, the *text* with its options, this service's
  *application* at the platform, or the *platform*.
- **Tried again by itself**: *yes* goes on until an hour after the post was due, or for a day if the
  platform names a time; `attempts` and the message say when the next try is and when the last.
  *later* is what a platform tells when it is asked about a post that it has taken. *doubt* is an
  answer that does not prove that nothing was posted: the service looks there before anything else.

What this service refuses itself, before a call or where a platform's answer tells nothing, follows
each platform's table in one of its own; *…* stands for what the sentence tells of the post."""


_CHECKS = "The sentence that `check` tells of it."


def page() -> str:
    """Return the page."""
    alike = "\n".join(["## Alike on several platforms\n", *_own_rows(Shared)])
    return "\n\n".join([_HEAD, *(_section(platform) for platform in Platform), alike]) + "\n"


def _section(platform: Platform) -> str:
    own = own_refusals(platform)
    ours = [] if own is None else ["", *_own_rows(own)]
    return "\n".join([f"## {FACTS[platform].name}\n", *_rows(platform), *ours])


def own_refusals(folder: str) -> type[OwnRefusal] | None:
    """Return the closed set of a connector's folder, None where it has none."""
    path = f"chalicelib.connectors.{folder.replace(' ', '_')}.refusals"
    if find_spec(path) is None:
        return None
    sets = [found for found in vars(import_module(path)).values() if _is_set(found)]
    (closed,) = sets
    return cast("type[OwnRefusal]", closed)


def _is_set(found: object) -> bool:
    return isinstance(found, type) and issubclass(found, OwnRefusal) and found is not OwnRefusal


def _own_rows(own: type[OwnRefusal]) -> Iterator[str]:
    yield "| refused by this service | `error_code` | whose | what a person reads |"
    yield "|---|---|---|---|"
    for row in own:
        told = _CHECKS if row.sentence == "{why}" else re.sub(r"{[^}]*}", "…", row.sentence)
        name = row.name.replace("_", " ").lower()
        bare = Failed(code=row.code, message=told, blame=row.blame)
        yield f"| {name} | `{row.code}` | {blame_of(bare)} | {told} |"


def _rows(platform: Platform) -> Iterator[str]:
    yield "| platform's code | `error_code` | whose | what a person reads | tried again by itself |"
    yield "|---|---|---|---|---|"
    for key in closed_rig(platform).refusals:
        cells = (f"`{key}`", *_cells(platform, key))
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _end(platform: Platform, rig: Rig, key: str) -> Outcome:
    """Play an answer; one that its headers alone tell apart is read without a caption."""
    status, headers, body = rig.refusals[key]
    if not any(name.startswith("x-app-") for name in headers):
        return play(platform, answering(status, body, headers))
    response = PlatformResponse(status=status, headers=headers, body=body)
    return answer_of(partial(_refuse, rig, response))


def _refuse(rig: Rig, response: PlatformResponse) -> Outcome:
    raise rig.http.read_error(response)


def _cells(platform: Platform, key: str) -> tuple[str, str, str, str]:
    rig = closed_rig(platform)
    status = rig.refusals[key][0]
    row = rig.http.errors[key]
    entry = complete_entry(platform, row)
    end = _end(platform, rig, key)
    if not isinstance(end, Failed):
        when = "later" if status == SAID_LATER else "doubt: looked for first"
        told = Failed(code=entry.code, message=entry.sentence, blame=entry.blamed)
        return f"`{entry.code}`", blame_of(told), entry.sentence, when
    bare = replace(end, answer=None)
    follows = None if end.is_transient else after_the_last_try(end, now=NOON)
    return f"`{end.code}`", blame_of(end), explain(bare, platform, follows), _again(end, row)


def _again(end: Failed, row: FailureCode | ErrorEntry) -> str:
    is_ours = isinstance(row, ErrorEntry) and (row.ours or row.app_wide)
    again = "yes" if end.is_transient else "no"
    return f"{again}; the operator is told" if is_ours else again


if __name__ == "__main__":
    logging.disable()  # each refusal that an operator must know of would be a warning
    print(page(), end="")  # noqa: T201
