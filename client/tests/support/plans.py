"""Plans for tests: CSV files, and what the service made of them."""

import csv
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta, timezone
from pathlib import Path

from goldenhour import Client

FIRST = datetime(2031, 1, 1, 9, tzinfo=timezone.utc)


def write_plan(path: Path, rows: Sequence[Mapping[str, str]]) -> Path:
    """Write a plan."""
    with path.open("w", newline="", encoding="utf-8") as out:
        writer = csv.DictWriter(out, ["to", "caption", "file", "at", "zone", "options", "key"])
        writer.writeheader()
        writer.writerows(rows)
    return path


def a_row(number: int, **other: str) -> Mapping[str, str]:
    """Return a line that is scheduled for an hour of its own."""
    at = FIRST + timedelta(hours=number)
    return {"to": "linkedin", "caption": f"Loaf {number}", "at": f"{at:%Y-%m-%d %H:%M}", **other}


def posts_of(client: Client, text: str) -> Counter[str]:
    """Return how many posts each caption has."""
    return Counter(post.caption for post in client.posts.list(q=text, page_size=200))
