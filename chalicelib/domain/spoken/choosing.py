"""Finds the accounts and options that a person or an assistant named."""

import difflib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol, TypeVar, cast

from chalicelib.domain.spoken.unclear import UnclearError


class Named(Protocol):
    """An account's names."""

    @property
    def id(self) -> str:
        """Its id."""
        ...

    @property
    def platform(self) -> str:
        """Where it is."""
        ...

    @property
    def handle(self) -> str:
        """What it is called there."""
        ...


Given = TypeVar("Given")
AccountT = TypeVar("AccountT", bound=Named)
IsText = Callable[[str, Sequence[str]], bool]
"""Tells whether a platform's option is a text, whatever it looks like: by its name's parts."""

_LONGEST_NUMBER = 4
SHORT_NAMES = {"google": "google business profile", "twitter": "x"}


class UnclearAccount(UnclearError):
    """No account is meant, or more than one could be."""


class WrongOption(UnclearError):
    """An option that is not written as `platform.name=value`."""


class WrongCaption(UnclearError):
    """A caption for an account that the post is not for."""


def find_accounts(names: Iterable[str], accounts: Sequence[AccountT]) -> list[AccountT]:
    """Return the accounts that are meant, each once: by id, handle, platform or platform:handle."""
    found = [find_account(name, accounts) for name in names]
    return list({account.id: account for account in found}.values())


def find_account(name: str, accounts: Sequence[AccountT]) -> AccountT:
    """Return the one account that a name means. Raises UnclearAccount with what could be meant."""
    wanted = platform_of(name)
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


def platform_of(name: str) -> str:
    """Return the platform that a name means, if it is one's: Twitter is x."""
    plain = name.strip().lower()
    return SHORT_NAMES.get(plain, plain)


def describe(account: Named) -> str:
    """Return an account as `platform:handle`."""
    return f"{account.platform}:{account.handle}"


def options_of(
    accounts: Sequence[Named], options: Mapping[str, Mapping[str, object]]
) -> dict[str, Mapping[str, object]]:
    """Return options by account id. Raises WrongOption."""
    found, stranger = _by_account(accounts, options)
    if stranger is not None:
        raise WrongOption(f"An option is given for {stranger}, which is not among the accounts.")
    return found


def captions_of(accounts: Sequence[Named], captions: Mapping[str, str]) -> dict[str, str]:
    """Return captions by account id. Raises WrongCaption."""
    found, stranger = _by_account(accounts, captions)
    if stranger is not None:
        raise WrongCaption(f"A caption is given for {stranger}, which is not among the accounts.")
    return found


def _by_account(
    accounts: Sequence[Named], given: Mapping[str, Given]
) -> tuple[dict[str, Given], str | None]:
    """Return values given by platform or name by account id, and a name that fits none.

    A value for one account takes precedence over one for its platform.
    """
    platforms = {str(account.platform) for account in accounts}
    names = {platform_of(name): name for name in given}
    found: dict[str, Given] = {}
    for wanted in sorted(names, key=lambda name: name not in platforms):
        meant = [account for account in accounts if wanted in _names(account)]
        if not meant:
            return found, names[wanted]
        found.update({account.id: given[names[wanted]] for account in meant})
    return found, None


def read_options(texts: Iterable[str], is_text: IsText) -> dict[str, dict[str, object]]:
    """Return options by platform from `pinterest.board=123`; a JSON value is read as such.

    A value in an object is named by its path: `google.event.title=Fair`, in a list of objects by
    the number too: `instagram.user_tags.1.username=ada`. Raises WrongOption.
    """
    options: dict[str, dict[str, object]] = {}
    for text in texts:
        place, equals, value = text.partition("=")
        platform, dot, name = place.strip().partition(".")
        names = name.strip().split(".")
        if not (equals and dot and platform and all(name.split("."))):
            raise WrongOption(f"{text!r} is not an option. Write it like pinterest.board=123.")
        known = platform_of(platform)
        is_plain = is_text(known, [part for part in names if not part.isdigit()])
        read = value.strip() if is_plain else _value(value.strip())
        _put(options.setdefault(known, {}), names, read)
    return options


def _put(into: dict[str, object], names: Sequence[str], value: object) -> None:
    """Put a value where its names lead: `event.title` into an object, `user_tags.1.x` into a row.

    Raises WrongOption.
    """
    name, *below = names
    if not below:
        into[name] = value
        return
    if below[0].isdecimal() and len(below) > 1:
        rows, place = into.setdefault(name, []), int(below[0][:_LONGEST_NUMBER]) - 1
        if not isinstance(rows, list) or not 0 <= place <= len(rows):
            raise WrongOption(f"{'.'.join(names)}: number the entries of {name} from 1 on.")
        if place == len(rows):
            rows.append({})
        _put(rows[place], below[1:], value)
        return
    held = into.setdefault(name, {})
    if not isinstance(held, dict):
        raise WrongOption(f"{name} is given as a whole and by its field {below[0]}.")
    _put(held, below, value)


def _names(account: Named) -> frozenset[str]:
    handle, platform = account.handle.lower(), str(account.platform)  # the service has an enum
    plain = handle.removeprefix("@")
    return frozenset(
        {account.id, handle, plain, platform, f"{platform}:{handle}", f"{platform}:{plain}"}
    )


def _value(text: str) -> object:
    """Return an option's value: a number, JSON or the text."""
    try:
        return cast("object", json.loads(text))
    except (ValueError, RecursionError):
        return text
