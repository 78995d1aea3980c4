"""How a checkpoint leads to its step: one table per connector, from names to methods."""

from collections.abc import Callable, Mapping

from chalicelib.connectors.connector import Publication
from chalicelib.domain.outcome import Checkpoint, Json, Outcome

Data = dict[str, Json]
"""What a checkpoint carries, as a step may change it."""

Step = Callable[[Publication, Data], Outcome]


def take_step(
    steps: Mapping[str, Step], publication: Publication, checkpoint: Checkpoint
) -> Outcome:
    """Make the step that the checkpoint names, with a copy of its data."""
    return steps[checkpoint.step](publication, dict(checkpoint.data))
