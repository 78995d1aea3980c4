"""Does what Lambda does against functions that invoke each other endlessly through queues.

As there, a chain is everything that follows from one request; a message carries it as its trace
header, which says how often it invoked each function. A function that was invoked 16 times is not
invoked again, unless it may invoke itself (`workers/chains.py`). A stopped message counts as
received: it is delivered again after the visibility timeout and ends in the dead-letter queue; the
next tick begins a new chain.
"""

import logging
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from chalicelib.kit.aws_on_sqlite.queues import TRACE
from chalicelib.workers.chains import MAY_WAKE_THEMSELVES, MOST_HOPS

if TYPE_CHECKING:
    from mypy_boto3_sqs.type_defs import MessageTypeDef

_LOG = logging.getLogger(__name__)
_LINEAGE: Final = "Lineage="


class ChainGuard:
    """Says which messages may invoke a function, and counts hops in the messages that it sends."""

    def __init__(self, function: str, allowed: Collection[str] = MAY_WAKE_THEMSELVES) -> None:
        self._function = function
        self._is_allowed = function in allowed

    def let_through(self, batch: "Sequence[MessageTypeDef]") -> "Sequence[MessageTypeDef]":
        """Return the messages of a batch that may invoke the function."""
        if self._is_allowed:
            return batch
        through = [one for one in batch if _woken(one)[self._function] < MOST_HOPS]
        if len(through) < len(batch):
            facts = {"action": "chain.stopped", "messages": len(batch) - len(through)}
            _LOG.error(
                "%s was woken %d times in one chain: AWS would stop it here.",
                self._function,
                MOST_HOPS,
                extra=facts,
            )
        return through

    @contextmanager
    def hop(self, batch: "Sequence[MessageTypeDef]") -> Iterator[None]:
        """Have messages sent within carry the longest chain of a batch, and this hop."""
        most: Counter[str] = Counter()
        for one in batch:
            most |= _woken(one)
        most[self._function] += 1
        before = TRACE.set(_header(most))
        try:
            yield
        finally:
            TRACE.reset(before)


def _header(woken: Mapping[str, int]) -> str:
    return _LINEAGE + "|".join(f"{name}:{count}" for name, count in sorted(woken.items()))


def _woken(message: "MessageTypeDef") -> Counter[str]:
    """Return how often a message's chain has invoked each function."""
    header = message.get("Attributes", {}).get("AWSTraceHeader", "")
    if not header.startswith(_LINEAGE):
        return Counter()
    hops = (one.partition(":") for one in header.removeprefix(_LINEAGE).split("|"))
    return Counter({name: int(count) for name, _, count in hops})
