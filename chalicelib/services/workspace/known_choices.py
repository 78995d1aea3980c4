"""What is known, without asking a platform, of what some targets' accounts offer.

Scheduling and edits refuse by it what is known not to exist. Accounts are read only for targets
that chose something, so that every other post costs no further round trip.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from chalicelib.domain.platforms.choices import CHOSEN, PRIVACY_LEVEL, Choices
from chalicelib.domain.posts.target import Target
from chalicelib.services.workspace.choices import AccountChoices
from chalicelib.storage.posts.draft_reads import DraftReads

ReadKnownChoices: TypeAlias = Callable[[str, Sequence[Target]], Mapping[str, Choices]]
"""Return what is known for the targets of a workspace, by the target's id."""


def known_choices(choices: AccountChoices, reads: DraftReads) -> ReadKnownChoices:
    """Return what reads the accounts of targets that chose something."""

    def read(workspace_id: str, targets: Sequence[Target]) -> Mapping[str, Choices]:
        choosing = [target for target in targets if has_chosen(target)]
        if not choosing:
            return {}
        ids = sorted({target.account_id for target in choosing})
        accounts = reads.read(workspace_id, account_ids=ids).accounts
        return {
            target.id: choices.known_of(accounts.get(target.account_id), target)
            for target in choosing
        }

    return read


def has_chosen(target: Target) -> bool:
    """Tell whether a target names something that its account may not have."""
    named = CHOSEN.get(target.platform, ())
    return any(name != PRIVACY_LEVEL and target.options.get(name) for name in named)
