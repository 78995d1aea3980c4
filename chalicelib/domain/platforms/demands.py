"""What a community demands of every post in it, known before a post is due: Reddit's rules.

Its patterns of titles are not tried: a stranger wrote them, and some take for ever.
"""

from collections.abc import Iterator, Mapping
from enum import Enum, auto
from typing import Final

from chalicelib.domain.platforms.texts.titles import reddit_title
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json


class BodyPolicy(Enum):
    """Whether a post has a text beside its title."""

    FREE = auto()
    REQUIRED = auto()
    FORBIDDEN = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Unmet:
    """A demand that a post does not meet; one that is not `sure` may be met all the same."""

    option: str | None
    message: str
    sure: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Demands:
    """A community's demands; lengths are in characters."""

    flair: bool = False
    shortest_title: int = 0
    longest_title: int | None = None
    title_needs: tuple[str, ...] = ()
    title_bars: tuple[str, ...] = ()
    title_has_pattern: bool = False
    body: BodyPolicy = BodyPolicy.FREE
    shortest_body: int = 0
    longest_body: int | None = None
    body_needs: tuple[str, ...] = ()
    body_bars: tuple[str, ...] = ()

    def unmet(
        self, text: str, options: Mapping[str, Json], *, is_text_post: bool
    ) -> Iterator[Unmet]:
        """Yield what a post does not meet; a text is demanded of posts of text alone."""
        title, body = reddit_title(text, options)
        if self.flair and not options.get("flair_id"):
            yield Unmet(option="flair_id", message="The community requires a flair on every post.")
        for message in _wrong(
            "title",
            title,
            (self.shortest_title, self.longest_title),
            (self.title_needs, self.title_bars),
        ):
            yield Unmet(option="title", message=message)
        if self.title_has_pattern:
            message = "The community requires titles in a form that its rules describe."
            yield Unmet(option="title", message=message, sure=False)
        yield from (Unmet(option=None, message=m) for m in self._wrong_body(body, is_text_post))

    def _wrong_body(self, body: str, is_text_post: bool) -> Iterator[str]:  # noqa: FBT001 - private
        if self.body is BodyPolicy.FORBIDDEN:
            if body:
                yield "The community allows only titles: write no text below the title."
            return
        if not is_text_post:
            return
        if self.body is BodyPolicy.REQUIRED and not body:
            yield "The community requires a text below the title."
        if body:
            limits = (self.shortest_body, self.longest_body)
            yield from _wrong("text", body, limits, (self.body_needs, self.body_bars))


def _wrong(
    what: str,
    text: str,
    limits: tuple[int, int | None],
    words: tuple[tuple[str, ...], tuple[str, ...]],
) -> Iterator[str]:
    shortest, longest = limits
    if len(text) < shortest:
        yield f"The community wants a {what} of {shortest} characters or more."
    if longest is not None and len(text) > longest:
        yield f"The community wants a {what} of {longest} characters at most."
    needs, bars, plain = *words, text.casefold()
    if needs and not any(word.casefold() in plain for word in needs):
        yield f"The community wants one of these in the {what}: {', '.join(needs)}."
    barred = [word for word in bars if word.casefold() in plain]
    if barred:
        yield f"The community does not want this in the {what}: {', '.join(barred)}."


NO_DEMANDS: Final = Demands()
