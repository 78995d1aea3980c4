"""Which accounts are meant by what a person or an assistant wrote, and what their options are."""

import difflib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar, cast, get_args, get_type_hints, is_typeddict

from goldenhour.errors import GoldenhourError
from goldenhour.models.answers import Account
from goldenhour.models.options import OPTIONS_OF, Options
from goldenhour.models.posts import NewTarget

Given = TypeVar("Given")

SHORT_NAMES = {"google": "google business profile", "twitter": "x"}


class UnclearAccount(GoldenhourError):
    """No account is meant, or more than one could be."""


class WrongOption(GoldenhourError):
    """An option that is not written as `platform.name=value`."""


class WrongCaption(GoldenhourError):
    """A caption for an account that the post is not for."""


def find_accounts(names: Iterable[str], accounts: Sequence[Account]) -> list[Account]:
    """Return the accounts that are meant, each once: by id, handle, platform or platform:handle."""
    found = [find_account(name, accounts) for name in names]
    return list({account.id: account for account in found}.values())


def find_account(name: str, accounts: Sequence[Account]) -> Account:
    """Return the one account that a name means. Raises UnclearAccount with what could be meant."""
    wanted = SHORT_NAMES.get(name.strip().lower(), name.strip().lower())
    matching = [account for account in accounts if wanted in _names(account)]
    if len(matching) == 1:
        return matching[0]
    if matching:
        several = ", ".join(describe(account) for account in matching)
        raise UnclearAccount(f"{name!r} could be any of {several}. Write it as platform:handle.")
    every = sorted({each for account in accounts for each in _names(account) if each != account.id})
    near = difflib.get_close_matches(wanted, every, n=1)
    meant = f" Did you mean {near[0]!r}?" if near else ""
    known = ", ".join(describe(account) for account in accounts) or "none"
    raise UnclearAccount(f"There is no account {name!r}.{meant} Accounts: {known}.")


def describe(account: Account) -> str:
    """Return an account as `platform:handle`."""
    return f"{account.platform}:{account.handle}"


def make_targets(
    accounts: Sequence[Account],
    options: Mapping[str, Mapping[str, object]],
    captions: Mapping[str, str] | None = None,
) -> list[NewTarget]:
    """Return targets for accounts, with options and captions by platform or platform:handle.

    Raises WrongOption or WrongCaption for one that is given for another account.
    """
    own_options, own_captions = options_of(accounts, options), captions_of(accounts, captions or {})
    return [
        NewTarget(
            account_id=each.id,
            caption_override=own_captions.get(each.id),
            options=cast("Options | None", own_options.get(each.id)),
        )
        for each in accounts
    ]


def options_of(
    accounts: Sequence[Account], options: Mapping[str, Mapping[str, object]]
) -> dict[str, Mapping[str, object]]:
    """Return options by account id. Raises WrongOption."""
    found, stranger = _by_account(accounts, options)
    if stranger is not None:
        raise WrongOption(f"An option is given for {stranger}, which is not among the accounts.")
    return found


def captions_of(accounts: Sequence[Account], captions: Mapping[str, str]) -> dict[str, str]:
    """Return captions by account id. Raises WrongCaption."""
    found, stranger = _by_account(accounts, captions)
    if stranger is not None:
        raise WrongCaption(f"A caption is given for {stranger}, which is not among the accounts.")
    return found


def _by_account(
    accounts: Sequence[Account], given: Mapping[str, Given]
) -> tuple[dict[str, Given], str | None]:
    """Return what is given by platform or name as by account id, and a name that fits none.

    What is given for one account comes before what is given for its platform.
    """
    platforms = {account.platform for account in accounts}
    names = {SHORT_NAMES.get(name.strip().lower(), name.strip().lower()): name for name in given}
    found: dict[str, Given] = {}
    for wanted in sorted(names, key=lambda name: name not in platforms):
        meant = [account for account in accounts if wanted in _names(account)]
        if not meant:
            return found, names[wanted]
        found.update({account.id: given[names[wanted]] for account in meant})
    return found, None


def parse_options(texts: Iterable[str]) -> dict[str, dict[str, object]]:
    """Return options by platform from `pinterest.board=123`; a JSON value is read as such.

    What is in an object is named by its way: `google.event.title=Fair`, in a list of objects by the
    number too: `instagram.user_tags.1.username=ada`.
    """
    options: dict[str, dict[str, object]] = {}
    for text in texts:
        place, equals, value = text.partition("=")
        platform, dot, name = place.strip().partition(".")
        if not (equals and dot and platform and all(name.split("."))):
            raise WrongOption(f"{text!r} is not an option. Write it like pinterest.board=123.")
        known = SHORT_NAMES.get(platform.lower(), platform.lower())
        _put(options.setdefault(known, {}), name.strip().split("."), value.strip(), _type_of(known))
    return options


def _type_of(platform: str) -> object:
    return OPTIONS_OF.get(platform, dict)


def _put(into: dict[str, object], names: Sequence[str], text: str, kind: object) -> None:
    """Put a value where its names lead: `event.title` into an object, `user_tags.1.x` into a row.

    Raises WrongOption.
    """
    name, *below = names
    wanted = get_type_hints(kind).get(name, str) if is_typeddict(kind) else str
    if not below:
        into[name] = _value(wanted, text)
        return
    if below[0].isdigit() and len(below) > 1:
        of, place = get_args(wanted), int(below[0]) - 1
        rows = into.setdefault(name, [])
        if not isinstance(rows, list) or not 0 <= place <= len(rows):
            raise WrongOption(f"{'.'.join(names)}: number the entries of {name} from 1 on.")
        if place == len(rows):
            rows.append({})
        _put(rows[place], below[1:], text, of[0] if of else str)
        return
    held = into.setdefault(name, {})
    if not isinstance(held, dict):
        raise WrongOption(f"{name} is given as a whole and by its field {below[0]}.")
    _put(held, below, text, wanted)


def _names(account: Account) -> frozenset[str]:
    handle, platform = account.handle.lower(), account.platform
    plain = handle.removeprefix("@")
    return frozenset(
        {account.id, handle, plain, platform, f"{platform}:{handle}", f"{platform}:{plain}"}
    )


def _value(kind: object, text: str) -> object:
    """Return an option's value as the platform's options want it: a number, JSON or the text."""
    try:
        return text if kind is str else cast("object", json.loads(text))
    except json.JSONDecodeError:
        return text
