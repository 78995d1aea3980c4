"""Mentions in LinkedIn's "little text": …/community-management/shares/little-text-format.

A caption says `@noras-bakery`, the option `mentions` that this is a page's address on LinkedIn: the
same word may be somebody else on another platform. A page's number and name are looked up once; a
person's cannot be by most applications, so that both come with the option.
"""

import re
from collections.abc import Iterator, Mapping

from chalicelib.connectors.connector import Data, Publication
from chalicelib.connectors.linkedin.api import LinkedInRest
from chalicelib.connectors.linkedin.text import escape_text, plain
from chalicelib.connectors.shared.handles import bare_handle
from chalicelib.domain.outcome import Checkpoint, Outcome, Wait
from chalicelib.domain.platforms.choices import MENTIONS, Choice, ChoiceQuery, Choices
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.failures import PlatformError
from chalicelib.kit.transport.responses import find

Known = Mapping[str, Json]
"""What is known by handle: `urn` and `name`, or None for who is not found."""

_ADDRESS = re.compile(r"[a-z0-9._-]{1,100}")
_MENTION = re.compile(r"@\[((?:\\.|[^\]\\])*)\]\((urn:li:[A-Za-z]+:[^)]+)\)")


def wanted_handles(options: Mapping[str, Json]) -> list[tuple[str, Json]]:
    """Return the handles that are mentioned, each with what the option says of it."""
    asked = options.get("mentions")
    rows = asked if isinstance(asked, list) else []
    return [(bare_handle(find(row, "handle")), row) for row in rows]


def find_unmentioned(options: Mapping[str, Json], text: str) -> str | None:
    """Return a handle that the caption lacks, None if it has them all."""
    return next(
        (h for h, _ in wanted_handles(options) if re.search(_place_of(h), text) is None), None
    )


def find_out(rest: LinkedInRest, token: str | None, handle: str, said: Json) -> Json:
    """Return who goes by a handle, None if nobody is known to: one call at most."""
    urn, name = find(said, "urn"), find(said, "name")
    if urn and name:
        return {"urn": urn, "name": name}
    try:
        told = rest.get(f"organizations?q=vanityName&vanityName={handle}", token, finder=True)
    except PlatformError:
        return None
    number, called = told.find("elements", 0, "id"), told.find("elements", 0, "localizedName")
    if number is None or not called:
        return None
    return {"urn": f"urn:li:organization:{number}", "name": called}


def ask_one(rest: LinkedInRest, publication: Publication, data: Data) -> Outcome:
    """Find out who is mentioned, one after the other; nobody is no hindrance."""
    known = dict(known_mentions(data))
    asked = wanted_handles(publication.options)
    left = [(handle, said) for handle, said in asked if handle not in known]
    if left:
        handle, said = left[0]
        known[handle] = find_out(rest, publication.account.token, handle, said)
    step = "mentions" if len(left) > 1 else "post"
    return Wait(Checkpoint(step, {**data, "mentioned": known}))


def by_mentions(publication: Publication, outcome: Outcome) -> Outcome:
    """Go to the visible step only once it is known who is mentioned."""
    if not isinstance(outcome, Wait) or outcome.checkpoint.step != "post":
        return outcome
    data = outcome.checkpoint.data
    asked = {handle for handle, _ in wanted_handles(publication.options)}
    is_known = len(known_mentions(data)) >= len(asked)
    return outcome if is_known else Wait(Checkpoint("mentions", data), outcome.delay)


def known_mentions(data: Mapping[str, Json]) -> Known:
    """Return who is mentioned, as far as it was found out."""
    known = data.get("mentioned")
    return known if isinstance(known, dict) else {}


def pages_of(rest: LinkedInRest, token: str | None, query: ChoiceQuery) -> Choices:
    """Return pages whose address is made of these words; LinkedIn finds none by their name alone.

    People can be found among a page's followers only, by a permission that this sign-in does not
    ask for. Raises PlatformError.
    """
    words = (query.words or "").lower().removeprefix("@").split()
    if not words:
        return Choices()
    found: dict[str, Choice] = {}
    for address in dict.fromkeys(("-".join(words), "".join(words))):
        if _ADDRESS.fullmatch(address) is None:
            continue
        path = f"organizations?q=vanityName&vanityName={address}"
        for page in rest.get(path, token, finder=True).items("elements"):
            name = find(page, "localizedName")
            if isinstance(name, str) and name:
                found[address] = Choice(address, name)
    return Choices(offered={MENTIONS: tuple(found.values())})


def write_mentions(text: str, known: Known) -> str:
    """Return a text with its mentions as LinkedIn's little text."""
    return "".join(_pieces(text, {handle: one for handle, one in known.items() if one}))


def read_back(commentary: str, known: Known) -> str:
    """Return what was written of a commentary as LinkedIn gives it back."""
    handles = {str(find(one, "urn")): handle for handle, one in known.items() if one}

    def handle(found: re.Match[str]) -> str:
        return f"@{handles[found[2]]}" if found[2] in handles else found[0]

    return plain(_MENTION.sub(handle, commentary))


def _pieces(text: str, known: Known) -> Iterator[str]:
    place = 0
    handles = "|".join(map(re.escape, sorted(known, key=len, reverse=True)))
    for found in re.finditer(_place_of(handles, is_pattern=True), text) if known else ():
        one = known[found[1]]
        yield escape_text(text[place : found.start()])
        yield f"@[{escape_text(str(find(one, 'name')))}]({find(one, 'urn')})"
        place = found.end()
    yield escape_text(text[place:])


def _place_of(handle: str, *, is_pattern: bool = False) -> str:
    return rf"(?<![\w@])@({handle if is_pattern else re.escape(handle)})(?![\w-])"
