"""What a connector can do for an account: the columns of docs/connectors.md.

An ability is claimed by having its protocol, with every attribute that the workers ask for, so that
a connector that lacks a part of it does not count as able.
"""

from enum import StrEnum

from chalicelib.connectors.connector import (
    Connector,
    Deletes,
    OffersChoices,
    ReadsCreatorOptions,
    RefreshesTokens,
    ReportsMetrics,
)
from chalicelib.connectors.shared.link_cards import ShowsLinkCards
from chalicelib.domain.platforms.facts import FACTS


class Ability(StrEnum):
    """Something that an account on a platform can have done for it."""

    TEXT = "text"
    PHOTO = "photo"
    VIDEO = "video"
    RECONCILE = "reconcile"
    DELETE = "delete"
    METRICS = "metrics"
    REFRESH = "refresh"
    CHOICES = "choices"
    PLACES = "places"
    CREATOR = "creator options"
    LINK_CARD = "link card"


def abilities_of(connector: Connector) -> frozenset[Ability]:
    """Return what a connector can do for an account."""
    facts = FACTS[connector.platform]
    limits, offers = facts.limits, isinstance(connector, OffersChoices)
    claims = {
        Ability.TEXT: not limits.needs_media,
        Ability.PHOTO: limits.takes_photo,
        Ability.VIDEO: limits.takes_video,
        Ability.RECONCILE: bool(connector.irreversible),
        Ability.DELETE: limits.can_delete and isinstance(connector, Deletes),
        Ability.METRICS: isinstance(connector, ReportsMetrics),
        Ability.REFRESH: isinstance(connector, RefreshesTokens),
        Ability.CHOICES: offers and bool(facts.offered),
        Ability.PLACES: offers and bool(facts.searched),
        Ability.CREATOR: isinstance(connector, ReadsCreatorOptions),
        Ability.LINK_CARD: isinstance(connector, ShowsLinkCards),
    }
    return frozenset(ability for ability, claimed in claims.items() if claimed)
