"""Virtual time takes the place of real locks and events wherever the engine makes them."""

from collections.abc import Callable

import pytest

from chalicelib.domain.clock import system_clock
from chalicelib.storage.engine.claims import TargetRef
from chalicelib.storage.engine.switch import LastLook, SwitchState
from chalicelib.workers.publishing.alarm import Alarm
from chalicelib.workers.publishing.arming import Arrival
from tests.simulation.virtual_time import cooperative, pools
from tests.simulation.virtual_time.scheduler import Scheduler
from tests.simulation.virtual_time.substitution import substituted

REF = TargetRef("post", "target", "workspace", system_clock())
MADE: dict[str, tuple[Callable[[], object], type]] = {
    "a lock": (lambda: LastLook(SwitchState)._guard, cooperative.Lock),
    "a condition": (lambda: Alarm(system_clock, print)._sooner, cooperative.Condition),
    "an event": (lambda: Arrival(REF).decided, cooperative.Event),
    "a future": (lambda: Arrival(REF).end, pools.Future),
}


@pytest.mark.parametrize("case", MADE)
def test_what_an_object_makes_for_itself_is_simulated_in_a_run_and_real_after_it(
    case: str,
) -> None:
    make, simulated = MADE[case]

    with substituted(Scheduler(), seed=1):
        assert isinstance(make(), simulated)

    assert not isinstance(make(), simulated)
