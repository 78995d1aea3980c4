"""Links whose pages cannot be read: a check warns that the posts would go out without a preview.

Strangers' pages take seconds to answer, so only the first few links of a post are read, at the same
time: a check must answer within one request.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Final

from chalicelib.connectors.connector import Connector
from chalicelib.connectors.shared.link_cards import ShowsLinkCards
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.platforms.texts.card_links import link_of
from chalicelib.domain.posts.post import Post
from chalicelib.domain.posts.problems import Problem, without_preview
from chalicelib.domain.posts.target import Target
from chalicelib.domain.workspace.accounts import Account
from chalicelib.kit.limits.thread_pool import HelpedPool

_MOST_LINKS: Final = 8


def without_previews(
    post: Post,
    targets: Iterable[Target],
    accounts: Mapping[str, Account],
    connectors: Mapping[Platform, Connector],
) -> list[Problem]:
    """Return a warning for each target whose link's page cannot be read."""
    linked = (
        [] if post.attachment is not None else list(_targets_with_links(post, targets, accounts))
    )
    readers = {link: connectors.get(target.platform) for target, link in linked}
    unread = _unread(dict(islice(readers.items(), _MOST_LINKS)))
    return [without_preview(post, target, link) for target, link in linked if link in unread]


def _targets_with_links(
    post: Post, targets: Iterable[Target], accounts: Mapping[str, Account]
) -> Iterator[tuple[Target, str]]:
    """Yield the targets that are not test accounts', each with the link it wants to be shown."""
    for target in targets:
        account = accounts.get(target.account_id)
        link = link_of(target.options, target.caption(post.caption))
        if link is not None and account is not None and not account.test:
            yield target, link


def _unread(readers: Mapping[str, object]) -> frozenset[str]:
    """Return the links whose pages cannot be read; a platform without previews reads none."""
    able = {link: one for link, one in readers.items() if isinstance(one, ShowsLinkCards)}
    if not able:
        return frozenset()
    with HelpedPool(_MOST_LINKS) as several:
        cards = several.map(lambda link: able[link].read_card(link), able)
        return frozenset(link for link, card in zip(able, cards, strict=True) if card is None)
