"""Targets of a post as a person or an assistant wrote them, with options and texts of their own."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar, cast, get_args, get_origin, get_type_hints, is_typeddict

from goldenhour.models.answers import Account
from goldenhour.models.options import OPTIONS_OF, Options
from goldenhour.models.posts import NewTarget
from goldenhour.spoken.choosing import captions_of, options_of, read_options
from goldenhour.spoken.rows import Row

FileT = TypeVar("FileT")


def make_targets(
    accounts: Sequence[Account],
    options: Mapping[str, Mapping[str, object]],
    captions: Mapping[str, str] | None = None,
) -> list[NewTarget]:
    """Return targets for accounts, with options and captions by platform or platform:handle.

    Raises WrongOption or WrongCaption for one that is given for another account.
    """
    return _targets(accounts, options_of(accounts, options), captions_of(accounts, captions or {}))


def targets_of(row: Row[Account, FileT]) -> list[NewTarget]:
    """Return the targets of a plan's line."""
    return _targets(row.accounts, row.options, row.captions)


def _targets(
    accounts: Sequence[Account],
    options: Mapping[str, Mapping[str, object]],
    captions: Mapping[str, str],
) -> list[NewTarget]:
    return [
        NewTarget(
            account_id=each.id,
            caption_override=captions.get(each.id),
            options=cast("Options | None", options.get(each.id)),
        )
        for each in accounts
    ]


def parse_options(texts: Iterable[str]) -> dict[str, dict[str, object]]:
    """Return options by platform from `pinterest.board=123`. Raises WrongOption."""
    return read_options(texts, is_text)


def is_text(platform: str, names: Sequence[str]) -> bool:
    """Tell whether an option is a text, whatever it looks like; one that nobody knows is."""
    kind: object = OPTIONS_OF.get(platform)
    for name in names:
        kind = get_type_hints(kind).get(name, str) if is_typeddict(kind) else str
        if get_origin(kind) is list:
            (kind,) = get_args(kind)
            if kind is str and name == names[-1]:
                return False
    return kind is str
