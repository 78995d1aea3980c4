"""The composer's panel of each account: its fields, and what is wrong beside them.

`pages/composer` fills its templates with it, all or in parts while somebody types.
"""

from collections.abc import Mapping, Sequence

from chalicelib.domain.error_kinds import ServiceError
from chalicelib.domain.media.requirements import taken_aspects
from chalicelib.domain.platforms.choices import ChoiceQuery
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.option import ContentKind, Group
from chalicelib.domain.platforms.options import option_problems
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.problems import Level, Problem
from chalicelib.domain.workspace.accounts import Account
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.limits.thread_pool import HelpedPool
from chalicelib.services.workspace.choices import AccountChoices, query_of
from chalicelib.web.forms.composition import Composition, Part, field_of
from chalicelib.web.forms.option_fields import Offered, OptionField, option_fields
from chalicelib.web.forms.previews import Preview
from chalicelib.web.sentences import of_problem, of_shape, option_at

_AT_ONCE = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrong:
    """One problem beside its field; `name` is the field's, "" for the whole of the account."""

    name: str
    account_id: str
    sentence: str
    is_error: bool
    platform: Platform | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """One account in the composer, with its fields by group."""

    part: Part
    preview: Preview
    needed: Sequence[OptionField]
    offered: Sequence[OptionField]
    rare: Sequence[OptionField]

    @property
    def start(self) -> str:
        """Return the prefix of the names of its fields."""
        return field_of(self.part.account_id)

    @property
    def shapes(self) -> str:
        """Return the narrowest and the widest photo that is accepted, empty if any is."""
        aspects = taken_aspects(self.part.platform, self.part.options)
        return "" if aspects is None else f"{float(aspects[0]):g} {float(aspects[1]):g}"


def panels_of(
    written: Composition,
    previews: Sequence[Preview],
    offered: Mapping[str, Offered],
    shown: Post,
) -> list[Panel]:
    """Return the panels of what was written."""
    carries = _carries(shown)
    return [
        _panel(part, preview, _fields(part, offered.get(part.account_id, {}), carries))
        for part, preview in zip(written.parts, previews, strict=True)
    ]


def _panel(part: Part, preview: Preview, fields: Sequence[OptionField]) -> Panel:
    """Return a panel: filled fields are shown among the common ones, however rare."""
    needed = [one for one in fields if one.is_required]
    rest = [one for one in fields if not one.is_required]
    offered = [one for one in rest if one.group is not Group.MORE or one.is_filled]
    rare = [one for one in rest if one not in offered]
    return Panel(part=part, preview=preview, needed=needed, offered=offered, rare=rare)


def _carries(post: Post) -> ContentKind:
    file = post.attachment
    if file is None:
        return ContentKind.TEXT
    return ContentKind.VIDEO if file.kind is MediaKind.VIDEO else ContentKind.PHOTO


def _fields(part: Part, offered: Offered, carries: ContentKind) -> list[OptionField]:
    """Return the fields that apply to a post: none about a file if it has none."""
    if part.is_fixed:
        return []
    declared = {one.name: one for one in FACTS[part.platform].options}
    found = option_fields(part.platform, part.options, offered)
    return [
        one
        for one in found
        if one.is_filled or not (only := declared[one.name].only) or carries in only
    ]


def read_offered(
    written: Composition, accounts: Mapping[str, Account], choices: AccountChoices, shown: Post
) -> dict[str, Offered]:
    """Return each account's choices, if its platform lists them, read in parallel."""
    asking = [
        (accounts[part.account_id], target)
        for part, target in zip(written.parts, shown.targets, strict=True)
        if part.account_id in accounts and not part.is_fixed and FACTS[part.platform].offered
    ]
    if not asking:
        return {}
    with HelpedPool(min(_AT_ONCE, len(asking))) as several:
        found = several.map(
            lambda pair: _offered_choices(choices, pair[0], query_of(pair[1])), asking
        )
        return {account.id: one for (account, _), one in zip(asking, found, strict=True)}


def _offered_choices(choices: AccountChoices, account: Account, query: ChoiceQuery) -> Offered:
    try:
        found = choices.read(account, query)
    except ServiceError:
        return {}
    return {name: [(c.id, c.name) for c in listed] for name, listed in found.offered.items()}


def wrongs_of(post: Post, problems: Sequence[Problem], written: Composition) -> list[Wrong]:
    """Return what is wrong: first values of a wrong form, then what a check found."""
    shapes = [
        Wrong(
            name=".".join([f"{field_of(part.account_id)}o", *map(str, problem.loc)]),
            account_id=part.account_id,
            platform=part.platform,
            sentence=of_shape(problem),
            is_error=True,
        )
        for part in written.parts
        if not part.is_fixed
        for problem in option_problems(part.platform, part.options)
    ]
    return [*shapes, *(_wrong(post, one) for one in problems)]


def _wrong(post: Post, problem: Problem) -> Wrong:
    target = post.target(problem.target_id)
    if target is None:
        return Wrong(name="", account_id="", sentence=problem.message, is_error=True)
    option = option_at(target.platform, problem.field)
    start, field = field_of(target.account_id), problem.field or ""
    if option is not None:
        name = f"{start}o.{option.name}"
    elif field.endswith(".caption_override"):
        name = f"{start}text"
    elif field.endswith(".caption"):
        name = "caption"
    else:
        name = ""
    said = of_problem(target.platform, problem.code, problem.message, problem.field)
    return Wrong(
        name=name,
        account_id=target.account_id,
        platform=target.platform,
        sentence=said,
        is_error=problem.level is Level.ERROR,
    )
