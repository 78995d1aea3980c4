"""One workspace's share of a stage's requests, counted by several processes together."""

from datetime import timedelta
from secrets import token_hex

import pytest

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.domain.errors import TooManyRequests
from chalicelib.domain.workspace.fair_share import TOGETHER, FairShare
from chalicelib.services.workspace.fair_shares import FairShares
from chalicelib.storage.workspace.request_counts import RequestCounts
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.frozen_clock import NOON, FrozenClock

SHARE = FairShare(a_second=2)
ALLOWED = 20
SECOND = timedelta(seconds=1)


class Processes:
    """Some processes of a stage, and what they let through."""

    def __init__(self, rows: RequestCounts, many: int) -> None:
        self.clock = FrozenClock(NOON)
        self.each = [FairShares(rows, self.clock, SHARE) for _ in range(many)]

    def ask(self, workspace_id: str, times: int) -> int:
        """Ask so often, of each in turn; return how many were let through."""
        through = 0
        for place in range(times):
            try:
                self.each[place % len(self.each)].take(workspace_id)
            except TooManyRequests:
                continue
            through += 1
        return through


@pytest.fixture
def rows(emulator: EmulatorProcess) -> RequestCounts:
    deployment = Deployment(make_resources(emulator.endpoint), clock=FrozenClock(NOON))
    return RequestCounts(deployment.clients.dynamodb, deployment.tables)


@pytest.mark.parametrize("many", [1, 3, 8])
def test_a_workspace_gets_its_share_and_a_few_of_each_process(
    rows: RequestCounts, many: int
) -> None:
    processes, workspace = Processes(rows, many), token_hex(16)

    through = processes.ask(workspace, 200)

    assert ALLOWED <= through < ALLOWED + many * TOGETHER


def test_another_workspace_is_not_held_up(rows: RequestCounts) -> None:
    processes, greedy, quiet = Processes(rows, 2), token_hex(16), token_hex(16)

    processes.ask(greedy, 200)

    assert processes.ask(quiet, ALLOWED - 1) == ALLOWED - 1


def test_whoever_is_refused_is_told_when_the_next_window_begins(rows: RequestCounts) -> None:
    processes, workspace = Processes(rows, 1), token_hex(16)
    processes.clock.now = NOON + 7 * SECOND
    processes.ask(workspace, 200)

    with pytest.raises(TooManyRequests) as refused:
        processes.each[0].take(workspace)

    assert refused.value.retry_after_s == 3
    processes.clock.now += refused.value.retry_after_s * SECOND
    assert processes.ask(workspace, 1) == 1
