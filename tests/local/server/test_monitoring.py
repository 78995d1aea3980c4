"""Dashboard and alert rules ask for figures that the service gives, and for each of them."""

import json
import re
import shutil
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import yaml
from prometheus_client import CollectorRegistry, generate_latest

from chalicelib.local.triggers.watching import AttemptCounts, StateFigures

MONITORING = Path(__file__).parents[3] / "infra" / "server" / "monitoring"
_NAME = re.compile(r"goldenhour_[a-z_]+")
_SELECTED = re.compile(r'(goldenhour_[a-z_]+)\{(\w+)(?:!?=)"(\w+)"\}')


def _given(tmp_path: Path) -> str:
    """Return what Prometheus reads of a service that did nothing yet."""
    empty = cast("Any", SimpleNamespace(list=lambda *_: [], marks=dict))
    status = cast(
        "Any",
        SimpleNamespace(oldest_overdue=None, paused=False, waiting=0, working=0, delayed=0, dead=0),
    )
    registry = CollectorRegistry()
    registry.register(
        StateFigures(
            engine_status=lambda: status,
            workspaces=empty,
            accounts=empty,
            data_dir=tmp_path,
            clock=lambda: datetime(2026, 11, 27, tzinfo=UTC),
        )
    )
    counts = AttemptCounts(registry)
    counts._attempts.labels("ok").inc()
    counts._lateness.observe(0.1)
    return generate_latest(registry).decode()


def _names(given: str) -> set[str]:
    found = set(re.findall(r"^(goldenhour_[a-z_]+)(?:\{.*\})? ", given, re.MULTILINE))
    return {name for name in found if not name.endswith("_created")}


def _rules() -> list[Mapping[str, Any]]:
    read = yaml.safe_load((MONITORING / "alerts.yaml").read_text("utf-8"))
    return [rule for group in read["groups"] for rule in group["rules"]]


def _shown() -> list[str]:
    read = json.loads((MONITORING / "dashboard.json").read_text("utf-8"))
    return [target["expr"] for panel in read["panels"] for target in panel["targets"]]


def test_what_is_asked_for_exists_and_each_figure_is_shown(tmp_path: Path) -> None:
    names = _names(_given(tmp_path))
    shown, alerted = _shown(), [rule["expr"] for rule in _rules()]

    asked = {name for expr in (*shown, *alerted) for name in _NAME.findall(expr)}

    assert set() == asked - names
    seen = {name for expr in shown for name in _NAME.findall(expr)}
    parts = {"goldenhour_lateness_seconds_count", "goldenhour_lateness_seconds_sum"}
    assert names - seen == parts


def test_the_values_that_rules_select_exist(tmp_path: Path) -> None:
    given = _given(tmp_path)

    selected = [found for rule in _rules() for found in _SELECTED.findall(rule["expr"])]

    assert len(selected) == 3
    for name, label, value in selected:
        assert re.search(rf'^{name}\{{{label}="{value}"\}}', given, re.MULTILINE), (name, value)


def test_each_alert_says_what_it_means_and_what_to_do() -> None:
    for rule in _rules():
        assert rule["labels"]["severity"] in {"page", "ticket"}
        assert rule["annotations"]["summary"].endswith(".")
        assert rule["annotations"]["action"]


@pytest.mark.oracle
def test_prometheus_reads_the_rules_and_each_expression_of_the_dashboard(tmp_path: Path) -> None:
    if shutil.which("promtool") is None:
        pytest.skip("promtool is not here (apt-get install prometheus)")
    shown = [
        {"record": f"shown:{n}", "expr": one.replace("$__rate_interval", "5m")}
        for n, one in enumerate(_shown())
    ]
    of_dashboard = tmp_path / "shown.yaml"
    of_dashboard.write_text(yaml.safe_dump({"groups": [{"name": "shown", "rules": shown}]}))

    told = subprocess.run(
        ["promtool", "check", "rules", str(MONITORING / "alerts.yaml"), str(of_dashboard)],
        capture_output=True,
        text=True,
        check=False,
    )

    assert 0 == told.returncode, told.stdout + told.stderr


@pytest.mark.oracle
def test_prometheus_finds_no_fault_with_what_it_is_given(tmp_path: Path) -> None:
    if shutil.which("promtool") is None:
        pytest.skip("promtool is not here (apt-get install prometheus)")

    told = subprocess.run(
        ["promtool", "check", "metrics"],
        input=_given(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )

    assert (0, "") == (told.returncode, told.stdout + told.stderr)
