"""Lists of posts: one index yields ids in order; the posts are then read as they are now.

The index is that of posts that wait or the label's if one is asked for, else the window's, the
status's, or that of creation times; the window's too if many posts have the label, and always the
times' for a list by time. Every other filter, and a post's place in the order, is checked on the
posts as they are now: one that no longer fits is left out, one that was moved stands where it is
now. A page ends early at 4 MB of answer or 20 MB examined (docs/api.md "Posts"), never silently:
the cursor continues there.
"""

import heapq
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from itertools import chain, groupby, islice
from typing import TYPE_CHECKING

from chalicelib.domain.cursors import ID_LENGTH
from chalicelib.domain.posts.post import ONWARD, Post, PostStatus
from chalicelib.domain.posts.query import Page, PostQuery, Sort
from chalicelib.kit.dynamodb.items import Item, stamp
from chalicelib.kit.dynamodb.table import BatchRead, Expression, Table, name_of
from chalicelib.kit.limits.thread_pool import HelpedPool
from chalicelib.storage.posts.items import post_from
from chalicelib.storage.posts.posts import read_each, read_rows
from chalicelib.storage.tables import (
    Tables,
    label_of_post_key,
    list_labelled,
    list_statuses,
    list_waiting,
)

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

MOST_ANSWERED_BYTES = 4_000_000
MOST_EXAMINED_BYTES = 20_000_000
_CHUNK = 51
"""As many as the default page needs, and one more that shows whether another page follows."""
_FEW = 12
"""Up to this many posts are read by a query each, all at once: one round trip, and a post's rows
are charged together, while a batch charges each row. More would keep a request's processor busy for
longer than the second round trip of a batch takes."""
MANY_LISTED = 1_000
_NEWEST = "g"
_AFTER_ANY = "~"
_NO_TIME = "-"
_ANY_PLACE = ""
_INDEX_ROW_BYTES = 250


class PostLists:
    """Pages of a workspace's posts, over the posts table's indexes."""

    def __init__(self, client: "DynamoDBClient", tables: Tables, batch: BatchRead) -> None:
        self._client = client
        self._tables = tables
        self._table = Table(client, tables.posts)
        self._batch = batch

    def find(self, workspace_id: str, query: PostQuery) -> Page:
        """Return the posts that fit, in their order, at most `query.limit` of them."""
        moved: list[Post] = []
        page = self._find(workspace_id, query, moved)
        return _with_moved(page, moved, query) if moved else page

    def _find(self, workspace_id: str, query: PostQuery, moved: list[Post]) -> Page:
        """Return those that fit where the index has them; note those that are elsewhere by now."""
        candidates = self._candidates(workspace_id, query)
        found: list[Post] = []
        answered = examined = 0
        last_seen: str | None = None
        dropped = 0
        while chunk := dict(islice(candidates, _size_of_next(query, len(found), dropped))):
            for post, size in self._load(list(chunk)):
                examined += size
                place = chunk[post.id]
                is_here = place in (_ANY_PLACE, _place_of(post, query))
                fits = post.deleted_at is None and query.fits(post)
                if fits and not is_here:
                    moved.append(post)
                    fits = False
                is_full = len(found) == query.limit or answered + size > MOST_ANSWERED_BYTES
                if fits and is_full and found:
                    return Page(posts=tuple(found), cursor=last_seen)
                last_seen = place + post.id
                dropped += not fits
                if fits:
                    found.append(post)
                    answered += size
                if examined > MOST_EXAMINED_BYTES:
                    return Page(posts=tuple(found), cursor=last_seen)
        return Page(posts=tuple(found), cursor=None)

    def pages(self, workspace_id: str, query: PostQuery) -> Iterator[tuple[Post, ...]]:
        """Yield the posts of one page after another, each read when it is asked for."""
        while True:
            page = self.find(workspace_id, query)
            yield page.posts
            if page.cursor is None:
                return
            query = replace(query, cursor=page.cursor)

    def each(
        self, workspace_id: str, query: PostQuery, *, most_pages: int | None = None
    ) -> Iterator[Post]:
        """Return the posts that fit, in their order: all, or those of so many pages at most.

        The next page is read when the one before is used up: whoever has enough reads no more.
        """
        return chain.from_iterable(islice(self.pages(workspace_id, query), most_pages))

    def newer(self, workspace_id: str, statuses: frozenset[PostStatus], post_id: str) -> str | None:
        """Return the id of the next newer post with one of the statuses, None of the newest."""
        query = PostQuery(statuses=statuses)
        lists = [self._newer_ids(one, post_id) for one in list_statuses(workspace_id, statuses)]
        for found in heapq.merge(*_begin(lists)):
            if any(query.fits(post) and not post.deleted_at for post, _ in self._load([found])):
                return found
        return None

    def counts(self, workspace_id: str, most: int) -> Counter[PostStatus]:
        """Return how many posts have each status; posts being published count as scheduled.

        The counts are the index's, which lags behind by moments, and at most `most` per shard.
        """
        lists = [
            (status, partition)
            for status in PostStatus
            if status is not PostStatus.PUBLISHING
            for partition in list_statuses(workspace_id, {status})
        ]
        found: Counter[PostStatus] = Counter()
        with HelpedPool(len(lists), name="lists") as threads:
            ids = threads.map(partial(self._count, most), [partition for _, partition in lists])
            for (status, _), number in zip(lists, ids, strict=True):
                found[status] += number
        return found

    def _count(self, most: int, partition: str) -> int:
        return sum(1 for _ in islice(self._listed_ids(partition, _NEWEST), most))

    def on_days(
        self,
        workspace_id: str,
        bounds: Sequence[datetime],
        most: int,
        *,
        label: str | None = None,
    ) -> list[tuple[list[Post], int]]:
        """Return for each interval between two bounds its posts, earliest first, and how many more.

        A post is in each interval in which one of its targets has its time; at most `most` of an
        interval are read. `label` leaves out the posts without it.
        """
        ids: list[dict[str, None]] = [{} for _ in bounds[1:]]
        starts = [stamp(bound) for bound in bounds]
        rows = self._in_order(workspace_id, starts[0], starts[-1], page_size=None)
        timed = ((str(row["pk"]), str(row["time_key"])) for row in rows)
        labelled = self._few_with(workspace_id, label)
        for post_id, time_key in self._with_label(label, labelled, timed):
            place = bisect_right(starts, time_key) - 1
            if place < len(ids):
                ids[place].setdefault(post_id)
        shown = [list(islice(found, most)) for found in ids]
        wanted = list(dict.fromkeys(post_id for found in shown for post_id in found))
        posts = {post.id: post for post, _ in self._load(wanted)} if wanted else {}
        return [
            ([posts[one] for one in found if _is_there(posts, one)], len(every) - len(found))
            for found, every in zip(shown, ids, strict=True)
        ]

    def _candidates(self, workspace_id: str, query: PostQuery) -> Iterator[tuple[str, str]]:
        """Yield ids, each with its post's place in the index."""
        if query.sort is Sort.SCHEDULED:
            labelled = self._few_with(workspace_id, query.label)
            few = self._few_with_status(workspace_id, query) if labelled is None else labelled
            by_time = self._by_time(workspace_id, query, few)
            return self._with_label(query.label, labelled, by_time)
        return ((post_id, _ANY_PLACE) for post_id in self._newest(workspace_id, query))

    def _few_with_status(self, workspace_id: str, query: PostQuery) -> frozenset[str] | None:
        """Return the ids of all posts with the statuses, None if they are many or need no search.

        Without a beginning, a list by time would read all posts that are out before those to come.
        """
        if not query.statuses or query.since is not None:
            return None
        return _few(self._with_statuses(workspace_id, query, _NEWEST, MANY_LISTED))

    def _with_label(
        self,
        label: str | None,
        labelled: frozenset[str] | None,
        candidates: Iterator[tuple[str, str]],
    ) -> Iterator[tuple[str, str]]:
        """Return those with the label, if one is asked for.

        If many posts have the label, they are not all read: the candidates' labels are read
        instead.
        """
        if label is None:
            return candidates
        if labelled is None:
            return self._filter_by_label(label, candidates)
        return ((post_id, place) for post_id, place in candidates if post_id in labelled)

    def _few_with(self, workspace_id: str, label: str | None) -> frozenset[str] | None:
        """Return the ids of all posts with a label, None if they are many or none is asked for."""
        if label is None:
            return None
        return _few([self._listed_ids(list_labelled(workspace_id, label), _NEWEST, MANY_LISTED)])

    def _filter_by_label(
        self, label: str, candidates: Iterator[tuple[str, str]]
    ) -> Iterator[tuple[str, str]]:
        """Yield the candidates that have a label, reading the labels of some at a time."""
        while chunk := list(islice(candidates, _CHUNK)):
            keys = {post_id: label_of_post_key(post_id, label) for post_id, _ in chunk}
            rows = self._batch.read([(self._tables.posts, key) for key in keys.values()])
            yield from (one for one in chunk if name_of(keys[one[0]]) in rows)

    def _newest_labelled(
        self, workspace_id: str, query: PostQuery, label: str, before: str
    ) -> Iterator[str]:
        """Return ids of posts with a label, newest first: of its list or a window."""
        if not query.has_window:
            return self._listed_ids(list_labelled(workspace_id, label), before, None)
        few = self._few_with(workspace_id, label)
        if few is not None:
            return iter(self._newest_of(workspace_id, few, before))
        candidates = ((one, _ANY_PLACE) for one in self._in_window(workspace_id, query, before))
        return (post_id for post_id, _ in self._filter_by_label(label, candidates))

    def _newest(self, workspace_id: str, query: PostQuery) -> Iterator[str]:
        before = query.cursor or _NEWEST
        if query.waits:
            return self._waiting_ids(workspace_id, before)
        if query.label is not None:
            return self._newest_labelled(workspace_id, query, query.label, before)
        if query.has_window:
            return self._in_window(workspace_id, query, before)
        if query.statuses:
            page_size = max(_CHUNK, query.limit + 1)
            lists = self._with_statuses(workspace_id, query, before, page_size)
            return (post_id for post_id, _ in groupby(heapq.merge(*lists, reverse=True)))
        return self._newest_ids("by_workspace", "list_workspace", workspace_id, before)

    def _by_time(
        self, workspace_id: str, query: PostQuery, few: frozenset[str] | None
    ) -> Iterator[tuple[str, str]]:
        """Yield ids by time, earliest first; those without a time follow, newest first.

        With `few`, only these.
        """
        cursor = query.cursor or ""
        place, last_id = cursor[:-ID_LENGTH], cursor[-ID_LENGTH:]
        yielded: set[str] = set()
        if place != _NO_TIME:
            low = max(f"{place}#{last_id}{_AFTER_ANY}" if place else "0", _low(query))
            page_size = _CHUNK if few is None else None
            for row in self._in_order(workspace_id, low, _high(query), page_size):
                if row["pk"] not in yielded and (few is None or row["pk"] in few):
                    yielded.add(row["pk"])
                    yield row["pk"], str(row["time_key"]).partition("#")[0]
            last_id = ""
        if not query.has_window:
            before = last_id or _NEWEST
            for post_id in self._newest_of(workspace_id, few, before):
                if post_id not in yielded:
                    yield post_id, _NO_TIME

    def _newest_of(
        self, workspace_id: str, few: frozenset[str] | None, before: str
    ) -> Iterable[str]:
        """Return the ids of all posts, or of few, that were made before one, newest first."""
        if few is None:
            return self._newest_ids("by_workspace", "list_workspace", workspace_id, before)
        return sorted((post_id for post_id in few if post_id < before), reverse=True)

    def _in_order(
        self, workspace_id: str, low: str, high: str, page_size: int | None = _CHUNK
    ) -> Iterator[Item]:
        """Yield the rows of a window, earliest first."""
        if low > high:
            return iter(())
        condition = Expression(
            "#time_workspace = :workspace AND #time_key BETWEEN :low AND :high",
            {"workspace": workspace_id, "low": low, "high": high},
        )
        return self._table.read_index("by_time", condition, page_size=page_size)

    def _with_statuses(
        self, workspace_id: str, query: PostQuery, before: str, page_size: int
    ) -> list[Iterator[str]]:
        """Return the lists of the statuses, of each the first page read, one status at a time.

        In the order of `ONWARD`: a post that goes out meanwhile is on one of these pages.
        """
        wanted = (statuses for each in ONWARD if (statuses := each & query.statuses))
        partitions = (list_statuses(workspace_id, statuses) for statuses in wanted)
        return [
            begun
            for names in partitions
            for begun in _begin([self._listed_ids(name, before, page_size) for name in names])
        ]

    def _listed_ids(
        self, partition: str, before: str, page_size: int | None = _CHUNK
    ) -> Iterator[str]:
        """Yield the ids on the list of a status or a label that were made before one."""
        return self._newest_ids("by_status", "list_status", partition, before, page_size=page_size)

    def _newest_ids(
        self,
        index: str,
        attribute: str,
        partition: str,
        before: str,
        page_size: int | None = _CHUNK,
    ) -> Iterator[str]:
        """Yield the ids of one list, newest first, reading a small page at a time."""
        condition = Expression(
            f"#{attribute} = :partition AND #pk < :before",
            {"partition": partition, "before": before},
        )
        rows = self._table.read_index(index, condition, is_newest_first=True, page_size=page_size)
        return (row["pk"] for row in rows)

    def _waiting_ids(self, workspace_id: str, before: str) -> Iterator[str]:
        """Yield the ids of posts that wait for review and were made before one, newest first."""
        condition = Expression(
            "#time_workspace = :list AND #time_key < :before",
            {"list": list_waiting(workspace_id), "before": before},
        )
        rows = self._table.read_index("by_time", condition, is_newest_first=True, page_size=_CHUNK)
        return (row["pk"] for row in rows)

    def _newer_ids(self, partition: str, after: str) -> Iterator[str]:
        """Yield the ids of a list of one status after one of them, oldest first."""
        condition = Expression(
            "#list_status = :partition AND #pk > :after", {"partition": partition, "after": after}
        )
        rows = self._table.read_index("by_status", condition, page_size=_FEW)
        return (row["pk"] for row in rows)

    def _in_window(self, workspace_id: str, query: PostQuery, before: str) -> Iterator[str]:
        """Yield the ids of posts with a target inside the window, newest first.

        The index is ordered by time, so the window's rows are read before the first id is known;
        a window with more rows than may be examined falls back to the list of all posts.
        """
        rows = self._in_order(workspace_id, _low(query), _high(query), page_size=None)
        most = MOST_EXAMINED_BYTES // _INDEX_ROW_BYTES
        seen = [item["pk"] for item in islice(rows, most + 1)]
        if len(seen) > most:
            return self._newest_ids("by_workspace", "list_workspace", workspace_id, before)
        return iter(sorted({post_id for post_id in seen if post_id < before}, reverse=True))

    def _load(self, post_ids: Sequence[str]) -> Iterator[tuple[Post, int]]:
        """Read posts with their targets as they are now, each with its size in bytes."""
        if len(post_ids) <= _FEW:
            return self._load_each(post_ids)
        return self._load_batch(post_ids)

    def _load_each(self, post_ids: Sequence[str]) -> Iterator[tuple[Post, int]]:
        with HelpedPool(len(post_ids), name="lists") as threads:
            read = partial(read_rows, self._client, self._tables)
            posts = list(threads.map(read, post_ids))
        for rows in filter(None, posts):
            yield post_from(*rows), _size(rows)

    def _load_batch(self, post_ids: Sequence[str]) -> Iterator[tuple[Post, int]]:
        for rows in read_each(self._client, self._batch, self._tables, post_ids):
            yield post_from(*rows), _size(rows)


def _low(query: PostQuery) -> str:
    return "0" if query.since is None else stamp(query.since)


def _high(query: PostQuery) -> str:
    return _AFTER_ANY if query.until is None else stamp(query.until)


def _with_moved(page: Page, moved: Iterable[Post], query: PostQuery) -> Page:
    """Return a page by time with those posts that were moved to within it while it was read.

    One that stands before it was on an earlier page, as a post with several times was.
    """
    begin = None if query.cursor is None else _order(query.cursor)
    end = None if page.cursor is None else _order(page.cursor)
    marks = {post.id: _place_of(post, query) + post.id for post in (*page.posts, *moved)}
    here = [
        post
        for post in moved
        if (begin is None or begin < _order(marks[post.id]))
        and (end is None or _order(marks[post.id]) <= end)
    ]
    posts = sorted((*page.posts, *here), key=lambda post: _order(marks[post.id]))
    kept = tuple(posts[: query.limit])
    return Page(posts=kept, cursor=page.cursor if len(kept) == len(posts) else marks[kept[-1].id])


def _order(mark: str) -> tuple[bool, str, int]:
    """Return what orders posts by time, of a place and an id: those without a time come last."""
    place, number = mark[:-ID_LENGTH], int(mark[-ID_LENGTH:], 16)
    return place == _NO_TIME, place, -number if place == _NO_TIME else number


def _place_of(post: Post, query: PostQuery) -> str:
    """Return a post's place in a list by time: it is shown once, at its earliest time."""
    first = query.first_time(post)
    return _NO_TIME if first is None else stamp(first)


def _is_there(posts: Mapping[str, Post], post_id: str) -> bool:
    return post_id in posts and posts[post_id].deleted_at is None


def _begin(lists: Sequence[Iterator[str]]) -> list[Iterator[str]]:
    """Return the same lists, the first page of each read in parallel."""
    with HelpedPool(len(lists), name="lists") as threads:
        firsts = list(threads.map(lambda each: list(islice(each, 1)), lists))
    return [chain(first, rest) for first, rest in zip(firsts, lists, strict=True)]


def _size_of_next(query: PostQuery, found: int, dropped: int) -> int:
    """Return how many posts to read next: those missing in the page and one more, if all fit."""
    return _CHUNK if dropped else min(_CHUNK, query.limit + 1 - found)


def _size(rows: Iterable[Item]) -> int:
    return sum(len(str(value).encode()) for row in rows for value in row.values())


def _few(lists: Iterable[Iterator[str]]) -> frozenset[str] | None:
    """Return the ids on all of these lists, None if there are many on one of them."""
    found = [frozenset(islice(each, MANY_LISTED)) for each in lists]
    return None if any(len(each) == MANY_LISTED for each in found) else frozenset().union(*found)
