"""Two thousand strangers at the passkey door. Who: anybody, without a key or a session.

Each question cost a row: 2,000 of them grew the tables by 12 MB in 22 s, and another's POST took 85
to 116 ms instead of 6 meanwhile. Now a question costs none, and a wrong answer neither; and a crowd
waits for callers (`chalicelib/api/doors/crowd.py`).
"""

import sqlite3
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, ThreadPoolExecutor, wait
from contextlib import closing
from multiprocessing import get_context

import pytest
import requests

from tests.attacks.service import PATIENCE_S, Neighbour, Service

pytestmark = pytest.mark.costly

STRANGERS, TOGETHER = 2_000, 100
ENOUGH_S = 0.25
"""Twice of what takes milliseconds is less than the noise of a machine that tests other things."""


def of_strangers(service: Service) -> dict[str, int]:
    """Return how many rows there are of each kind that a stranger could make."""
    kinds = ("CHALLENGE#", "PERSON#", "ACTIVITY#", "ADDRESS#", "FLOW#", "WORKSPACE#")
    path = service.stack.data_dir / "engine" / "tables.db"
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as tables:
        return {
            kind: tables.execute(
                "SELECT count(*) FROM item WHERE pk LIKE ? AND sk NOT LIKE 'USE#%'"
                " AND sk NOT LIKE 'TAKEN#%'",
                (f"{kind}%",),
            ).fetchone()[0]
            for kind in kinds
        }


def test_two_thousand_strangers_write_no_row_and_are_in_nobodys_way(
    service: Service, neighbour: Neighbour
) -> None:
    with neighbour.beside() as seen:
        before = of_strangers(service)
        with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as crowds:
            coming = [crowds.submit(come, service.url) for _ in range(STRANGERS // TOGETHER)]
            wait(coming, PATIENCE_S, return_when=FIRST_COMPLETED)
            seen.beside = neighbour.measured()
            were_still_coming = not all(one.done() for one in coming)
            statuses = {status for one in coming for status in one.result()}
        after = of_strangers(service)

    assert were_still_coming
    assert statuses == {200, 403}
    assert before == after
    assert seen.took_twice_or(ENOUGH_S), seen


def come(url: str) -> list[int]:
    """Come as a hundred, ten at once, of whom every tenth answers with nonsense.

    In a process of their own: what they compute must not be in the way of whoever measures.
    """
    with ThreadPoolExecutor(10) as strangers:
        asked = list(strangers.map(lambda _: ask(url, "question"), range(TOGETHER)))
        return asked + list(strangers.map(lambda _: ask(url, "sign-in"), range(TOGETHER // 10)))


def ask(url: str, what: str) -> int:
    """Send what a page's script would, and return the status."""
    nonsense = {"answer": '{"id": "AAAA", "rawId": "AAAA", "type": "public-key"}'}
    return requests.post(
        f"{url}/app/passkeys/{what}", data=nonsense, headers={"Origin": url}, timeout=PATIENCE_S
    ).status_code
