"""What `doctor` says of the machine: each finding with what to do."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from chalicelib.doctor.examination import Verdict
from chalicelib.doctor.server_checks import LAST_BACKUP, SYNC_MODE, ServerChecks, clock_error

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
GB = 1_073_741_824


def checked(
    folder: Path,
    *,
    free: int = 50 * GB,
    error: Callable[[], timedelta | None] = lambda: timedelta(milliseconds=2),
) -> dict[str, Verdict]:
    checks = ServerChecks(
        data_dir=folder, clock=lambda: NOW, free_bytes=lambda _: free, clock_error=error
    )
    return {finding.subject: finding.verdict for finding in checks.run()}


@pytest.mark.parametrize(
    ("free", "verdict"),
    [(50 * GB, Verdict.OK), (GB, Verdict.WARNING), (50_000_000, Verdict.WRONG)],
)
def test_a_disk_that_fills_up_is_told(tmp_path: Path, free: int, verdict: Verdict) -> None:
    assert verdict == checked(tmp_path, free=free)["disk"]


@pytest.mark.parametrize(
    ("error", "verdict"),
    [
        (timedelta(milliseconds=2), Verdict.OK),
        (timedelta(milliseconds=101), Verdict.WARNING),
        (None, Verdict.WARNING),
    ],
)
def test_a_clock_that_nobody_sets_is_told(
    tmp_path: Path, error: timedelta | None, verdict: Verdict
) -> None:
    assert verdict == checked(tmp_path, error=lambda: error)["clock"]


@pytest.mark.parametrize(("hours", "verdict"), [(3, Verdict.OK), (49, Verdict.WARNING)])
def test_the_age_of_the_last_backup_is_told(tmp_path: Path, hours: int, verdict: Verdict) -> None:
    taken_at = NOW - timedelta(hours=hours)
    (tmp_path / LAST_BACKUP).write_text(json.dumps({"taken_at": taken_at.isoformat()}))

    assert verdict == checked(tmp_path)["backup"]


def test_a_directory_that_was_never_backed_up_is_told(tmp_path: Path) -> None:
    assert Verdict.WARNING == checked(tmp_path)["backup"]


def test_the_kernel_can_be_asked_about_its_clock() -> None:
    error = clock_error()

    assert error is None or error >= timedelta(0)


@pytest.mark.parametrize(("mode", "verdict"), [("full", Verdict.OK), ("normal", Verdict.WARNING)])
def test_how_a_stack_keeps_things_is_told(tmp_path: Path, mode: str, verdict: Verdict) -> None:
    (tmp_path / SYNC_MODE).write_text(f"{mode}\n")

    assert verdict == checked(tmp_path)["sync"]


@pytest.mark.parametrize(("mode", "told"), [("full", Verdict.WARNING), ("normal", None)])
def test_a_demo_workspace_is_told_on_a_server_alone(
    tmp_path: Path, mode: str, told: Verdict | None
) -> None:
    (tmp_path / SYNC_MODE).write_text(f"{mode}\n")
    (tmp_path / "demo.json").write_text(json.dumps({"workspace_id": "w1"}))

    assert told == checked(tmp_path).get("demo workspace")
