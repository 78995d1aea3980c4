"""As many calls go on at once as a machine's memory and file handles allow."""

import pytest

from chalicelib.kit.limits.machine_places import FEWEST, MOST, calls_at_once

_MB = 1 << 20


@pytest.mark.parametrize(
    ("megabytes", "files", "calls"),
    [
        (256, 4_096, FEWEST),
        (1_024, 4_096, 682),
        (2_048, 4_096, 1_365),
        (2_048, 1_024, 512),
        (65_536, 1_048_576, MOST),
        (65_536, 256, FEWEST),
    ],
)
def test_memory_and_file_handles_say_how_many_calls_go_on(
    megabytes: int, files: int, calls: int
) -> None:
    assert calls_at_once(megabytes * _MB, files) == calls
