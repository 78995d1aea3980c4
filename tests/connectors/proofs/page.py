"""The page about what is proven of each connector, and against what.

Each platform's folder has a `proof.py`; what a connector can do is read off the registry.
"""

from collections.abc import Iterator

from chalicelib.connectors.shared.abilities import Ability, abilities_of
from chalicelib.connectors.shared.registry import real_connectors
from chalicelib.domain.clock import system_clock
from chalicelib.domain.platforms.facts import FACTS, found_in
from chalicelib.domain.platforms.platform import Platform
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


_RESTORED = """## After a restore from a backup

What went out after the backup is found as above. But its text may have been changed after the
backup, so that "not found" says less here: except under a key of its own, a target is taken for
absent only if the account's own list shows a post that is known to be ours and none of the time
between the backup and `engine resume` that is not; and if a post of ours is newer than the resume,
or half an hour has passed since. Else it ends as `outcome_unknown`, as does what is named here."""


def restore_table() -> Iterator[str]:
    """Yield the lines of the table."""
    yield "| platform | what is read | what nobody can tell besides |"
    yield "|---|---|---|"
    for platform in Platform:
        lost = proven_of(platform).lost
        found = (lost.read_after_restore, lost.unknown_after_restore)
        yield f"| {FACTS[platform].name} | {' | '.join(found)} |"


def evidence_table() -> Iterator[str]:
    """Yield the lines of the table."""
    yield "| platform | proves that it is there | proves that it is not | nobody can tell |"
    yield "|---|---|---|---|"
    for platform in Platform:
        lost = proven_of(platform).lost
        yield f"| {FACTS[platform].name} | {lost.there} | {lost.absent} | {lost.unknown} |"


_TRYING = """## Trying a connector on its live platform

What stands below as not proven can be proven with an account of your own:

    .venv/bin/python -m chalicelib connector try bluesky --account ID --media MEDIA_ID

It makes a real post, looks for it as after a lost answer, reads its metrics and deletes it, twice:
one post for a text, where the platform takes one, and one for each `--media`, a file of the
account's workspace (`POST /v1/media`). YouTube's posts are private, TikTok's `SELF_ONLY`, those of
LinkedIn members for their connections, Reddit's on the account's own profile; on all others they
are public for some seconds. Instagram and TikTok let no application delete posts: delete those by
hand. `--option NAME=VALUE` sets an option of the target (a Pinterest board, say), `--keep` deletes
nothing. On X each post counts against the application's own quota.

Instagram's documentation takes photos of the feed from 4:5 to 1.91:1; others who publish there say
that it takes 3:4 and 9:16 as well. Whether your account's posts may be taller is tried with a photo
of that shape; if it is published whole, `fit: keep` can be set on posts too:

    .venv/bin/python -m chalicelib connector try instagram --account ID --media ID --option fit=keep

It asks before it posts (`--yes` does not), ends with status 1 if a step was not good, and saves a
report (`--report FILE`): each step's requests and answers, with tokens, passwords, signatures and
the queries of addresses cut out. Compare it with `tests/connectors/<platform>/requests/`."""


def proven_of(platform: Platform) -> Proven:
    """Return what the platform's folder says is proven. Raises MissingStepError."""
    proven: Proven = found_in(f"tests.connectors.{platform.name.lower()}.proof", "PROVEN", step=4)
    return proven


def page() -> str:
    """Return the page."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# What is proven of the connectors"
    yield ""
    yield "Made by `python -m tests.connectors.proofs`; the tests named are below `tests/`."
    yield ""
    yield "## What each can do"
    yield ""
    yield "Made from the registry. `tests/connectors/shared/test_abilities.py` does all of it"
    yield "through the HTTP API and the engine, on the fakes of the platforms, which lag and"
    yield "refuse as the real ones do (`tests/connectors/support/limits.py`); what is not claimed"
    yield "is refused."
    yield ""
    yield from ability_table()
    yield ""
    yield "## After a lost answer"
    yield ""
    yield "What is not there is sent again, what nobody can tell ends as `outcome_unknown`."
    yield ""
    yield from evidence_table()
    yield ""
    yield from _RESTORED.splitlines()
    yield ""
    yield from restore_table()
    yield ""
    yield from _TRYING.splitlines()
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
