"""Two thousand strangers at the passkey door. Who: anybody, without a key or a session.

Each question cost a row: 2,000 of them grew the tables by 12 MB in 22 s, and another's POST took 85
to 116 ms instead of 6 meanwhile. Now a question costs none, and a wrong answer neither.
"""

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
import requests

from tests.attacks.service import PATIENCE_S, Neighbour, Service

pytestmark = pytest.mark.costly

STRANGERS, AT_ONCE = 2_000, 20


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
        before, many = of_strangers(service), threading.Event()

        def comes(number: int) -> tuple[int, ...]:
            """Ask, and let every tenth answer with nonsense."""
            if number == STRANGERS // 10:
                many.set()
            with requests.Session() as stranger:
                said = [ask(stranger, service, "question")]
                return (
                    (*said, ask(stranger, service, "sign-in")) if number % 10 == 0 else tuple(said)
                )

        with ThreadPoolExecutor(AT_ONCE) as strangers:
            coming = [strangers.submit(comes, number) for number in range(STRANGERS)]
            many.wait(PATIENCE_S)
            seen.beside = neighbour.measured()
            statuses = {one.result() for one in coming}
        after = of_strangers(service)

    assert {(200,), (200, 403)} == statuses
    assert before == after
    assert seen.is_well_served, seen


def ask(stranger: requests.Session, service: Service, what: str) -> int:
    """Send what a page's script would, and return the status."""
    nonsense = {"answer": '{"id": "AAAA", "rawId": "AAAA", "type": "public-key"}'}
    url, own = f"{service.url}/app/passkeys/{what}", {"Origin": service.url}
    return stranger.post(url, data=nonsense, headers=own, timeout=PATIENCE_S).status_code
