"""Labels: a workspace's own words on its posts, by which its members find them (docs/api.md).

A label says nothing to a platform and changes nothing that goes out.
"""

import unicodedata
from collections.abc import Iterable
from enum import StrEnum

from chalicelib.domain.error_kinds import InvalidInput
from chalicelib.domain.errors import LabelExists, LabelNotFound
from chalicelib.kit.dataclass import dataclass

MOST_LABELS = 100
MOST_ON_A_POST = 10
LONGEST_NAME = 50
LONGEST_NAME_SIGNS = 500
"""A bound for the row: one grapheme may be made of any number of signs."""


class Colour(StrEnum):
    """What a label looks like."""

    RED = "red"
    ORANGE = "orange"
    AMBER = "amber"
    YELLOW = "yellow"
    LIME = "lime"
    GREEN = "green"
    TEAL = "teal"
    BLUE = "blue"
    INDIGO = "indigo"
    PURPLE = "purple"
    PINK = "pink"
    GREY = "grey"


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """One of a workspace's labels."""

    id: str
    name: str
    colour: Colour

    @property
    def kind(self) -> str:
        """Return what names of one kind have in common, whatever their case."""
        return unicodedata.normalize("NFKC", self.name).casefold()


@dataclass(frozen=True, slots=True)
class Labels:
    """All labels of a workspace, oldest first. What changes them returns the new ones."""

    all: tuple[Label, ...] = ()

    def find(self, label_id: str) -> Label:
        """Return a label. Raises LabelNotFound."""
        for label in self.all:
            if label.id == label_id:
                return label
        raise LabelNotFound

    def select(self, label_ids: Iterable[str]) -> tuple[Label, ...]:
        """Return those with these ids that there still are, oldest first."""
        wanted = set(label_ids)
        return tuple(label for label in self.all if label.id in wanted)

    def with_new(self, label: Label) -> "Labels":
        """Add a label. Raises LabelExists, and InvalidInput when there are as many as can be."""
        if len(self.all) >= MOST_LABELS:
            message = f"A workspace has at most {MOST_LABELS} labels. Delete one first."
            raise InvalidInput(message, loc=("body",))
        return Labels((*self.all, self._require_new_name(label)))

    def with_changed(self, label: Label) -> "Labels":
        """Put a label in the place of the one with its id. Raises LabelNotFound, LabelExists."""
        self.find(label.id)
        checked = self._require_new_name(label)
        return Labels(tuple(checked if one.id == label.id else one for one in self.all))

    def without(self, label_id: str) -> "Labels":
        """Take a label away. Raises LabelNotFound."""
        gone = self.find(label_id)
        return Labels(tuple(label for label in self.all if label != gone))

    def _require_new_name(self, label: Label) -> Label:
        if any(one.kind == label.kind and one.id != label.id for one in self.all):
            raise LabelExists
        return label


def few_enough(label_ids: Iterable[str]) -> frozenset[str]:
    """Return labels for one post. Raises InvalidInput for more than it can have."""
    chosen = frozenset(label_ids)
    if len(chosen) > MOST_ON_A_POST:
        message = f"Choose at most {MOST_ON_A_POST} labels; these are {len(chosen)}."
        raise InvalidInput(message, loc=("body", "label"))
    return chosen
