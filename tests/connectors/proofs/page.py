"""The page about what is proven of each connector, and against what.

Each platform's folder has a `proof.py`; what a connector can do is read off the registry.
"""

from collections.abc import Iterator

from chalicelib.connectors.shared.registry import real_connectors
from chalicelib.domain.clock import system_clock
from chalicelib.domain.platforms.facts import FACTS, read_declaration
from chalicelib.domain.platforms.platform import Platform
from tests.connectors.proofs.abilities import Ability, abilities_of
from tests.connectors.proofs.proof import Proven


def ability_table() -> Iterator[str]:
    """Yield the lines of the table: platforms down, abilities across."""
    connectors = real_connectors({}, system_clock)
    yield f"| platform | {' | '.join(Ability)} |"
    yield f"|---|{'---|' * len(Ability)}"
    for platform in Platform:
        able = abilities_of(connectors[platform])
        marks = ("yes" if ability in able else "—" for ability in Ability)
        yield f"| {FACTS[platform].name} | {' | '.join(marks)} |"


_ABILITIES = """## What each connector can do

This table comes from the registry. `tests/connectors/shared/test_abilities.py` tests every "yes"
through the HTTP API and the engine, with fakes of the platforms that lag and refuse as the real
ones do (`tests/connectors/support/limits.py`). Anything else is refused."""

_RESTORED = """## After a restore from a backup

Posts published after the backup are found in the same way. Their text may have changed after the
backup, however, so "not found" proves less here. Except where the platform stores a post under a
key we chose, a target counts as absent only if the account's own list shows a post known to be
ours and shows no unknown post from between the backup and `engine resume`. In addition, a post of
ours must be newer than the resume, or half an hour must have passed since the resume. Otherwise
the target ends as `outcome_unknown`, as do those in the last column."""


def restore_table() -> Iterator[str]:
    """Yield the lines of the table."""
    yield "| platform | what is read | what stays unknown |"
    yield "|---|---|---|"
    for platform in Platform:
        lost = proven_of(platform).lost
        found = (lost.read_after_restore, lost.unknown_after_restore)
        yield f"| {FACTS[platform].name} | {' | '.join(found)} |"


def evidence_table() -> Iterator[str]:
    """Yield the lines of the table."""
    yield "| platform | proves that the post exists | proves that it does not | outcome unknown |"
    yield "|---|---|---|---|"
    for platform in Platform:
        lost = proven_of(platform).lost
        yield f"| {FACTS[platform].name} | {lost.there} | {lost.absent} | {lost.unknown} |"


_TRYING = """## Trying a connector on its live platform

You can test what is listed as not proven below with an account of your own:

    .venv/bin/python -m chalicelib connector try bluesky --account ID --media MEDIA_ID

The command publishes a real post, searches for it as it would after a lost answer, reads its
metrics and deletes it. The deletion is sent twice. It publishes one text post, if the platform
accepts text posts, and one post for each `--media`, a file of the account's workspace
(`POST /v1/media`). YouTube posts are private, TikTok posts are `SELF_ONLY`, posts of LinkedIn
members are visible to their connections, and Reddit posts go to the account's own profile. On all
other platforms the posts are public for a few seconds. Instagram and TikTok do not let applications
delete posts, so delete those by hand. `--option NAME=VALUE` sets an option of the target, such as a
Pinterest board. `--keep` deletes nothing. On X, each post counts against the application's quota.

Instagram documents aspect ratios from 4:5 to 1.91:1 for feed photos; others who publish there
report that 3:4 and 9:16 work as well. To find out whether your account may post taller photos, try
one of that shape. If it is published uncropped, you can set `fit: keep` on posts too:

    .venv/bin/python -m chalicelib connector try instagram --account ID --media ID --option fit=keep

The command asks before it posts (unless you pass `--yes`), exits with status 1 if a step failed,
and saves a report (`--report FILE`) with the requests and answers of each step. Tokens, passwords,
signatures and query strings are removed. Compare the report with
`tests/connectors/<platform>/requests/`."""

_HARNESS = """## Evidence by platform

Every connector passes the publishing harness, which checks that:

- exactly one post is published, whatever fails: a crash after any step, or a cut connection, a 5xx,
  a garbled answer or a 429 at any call
- a token refused at any call is refreshed
- nothing is visible before the visible step
- every row of ERRORS is mapped
- no secret appears in a log or repr
- large files are handled in constant memory"""


def proven_of(platform: Platform) -> Proven:
    """Return what the platform's folder says is proven. Raises MissingStepError."""
    proven: Proven = read_declaration(
        f"tests.connectors.{platform.name.lower()}.proof", "PROVEN", step=4
    )
    return proven


def page() -> str:
    """Return the page."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# What is proven about the connectors"
    yield ""
    yield "Generated by `python -m tests.connectors.proofs`. Test paths are relative to `tests/`."
    yield ""
    yield from _ABILITIES.splitlines()
    yield ""
    yield from ability_table()
    yield ""
    yield "## After a lost answer"
    yield ""
    yield "A post proven not to exist is sent again. If nobody can tell, the target ends as"
    yield "`outcome_unknown`."
    yield ""
    yield from evidence_table()
    yield ""
    yield from _RESTORED.splitlines()
    yield ""
    yield from restore_table()
    yield ""
    yield from _TRYING.splitlines()
    yield ""
    yield from _HARNESS.splitlines()
    for proven in map(proven_of, Platform):
        yield ""
        yield f"## {FACTS[proven.platform].name}"
        yield ""
        yield "| proven | against | test |"
        yield "|---|---|---|"
        for proof in proven.proofs:
            yield f"| {proof.claim} | {proof.against} | `{proof.test}` |"
        yield from _list("Not proven", proven.unproven)
        yield from _list("Where the fact sheet was wrong or silent", proven.corrections)


def _list(heading: str, entries: tuple[str, ...]) -> Iterator[str]:
    if entries:
        yield ""
        yield f"{heading}:"
        yield ""
        for entry in entries:
            yield f"- {entry}"
