"""An export that an owner asked for: made in parts whatever kills it, had for 7 days, then gone."""

import io
import json
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from chalicelib.domain.workspace.exports import (
    KEPT,
    MOST_TRIES,
    ExportRequest,
    ExportUnderWayError,
)
from chalicelib.services.operator.export import Exported
from chalicelib.services.operator.export_parts import PartFile
from chalicelib.services.operator.export_requests import ExportRequests
from chalicelib.storage.media.store import export_key
from tests.api.http_house import a_house
from tests.api.http_room import House, Room
from tests.support.emulator import EmulatorProcess
from tests.support.sample_media import samples

FILES, POSTS = 4, 3


@dataclass(frozen=True, slots=True)
class Archive:
    """A workspace whose owner asks for an export in small parts."""

    room: Room
    exports: ExportRequests

    @property
    def request(self) -> ExportRequest:
        found = self.exports.rows.find(self.room.workspace_id)
        assert found is not None
        return found

    def ask(self) -> None:
        owner = self.room.house.deployment.people.administration.list_members(
            self.room.workspace_id
        )[0]
        self.exports.ask(self.room.workspace_id, owner.id)

    def objects(self) -> list[str]:
        return list(self.exports.store.keys(export_key(self.room.workspace_id, "")))

    def zips(self) -> Iterator[zipfile.ZipFile]:
        for part in self.request.parts:
            data = self.exports.store.whole(export_key(self.room.workspace_id, part.name))
            assert len(data) == part.size_bytes
            with zipfile.ZipFile(io.BytesIO(data)) as opened:
                assert opened.testzip() is None
                yield opened

    def read_back(self) -> tuple[Counter[str], list[str]]:
        """Return the lines of each file of lines, and the names of all media."""
        lines: Counter[str] = Counter()
        media = []
        for opened in self.zips():
            for name in opened.namelist():
                if name.startswith("media/"):
                    media.append(name)
                    continue
                found = [json.loads(line) for line in opened.read(name).splitlines()]
                lines[name.partition("/")[0]] += len(found)
        return lines, sorted(media)


@pytest.fixture
def archive(emulator: EmulatorProcess, tmp_path: Path) -> Archive:
    return an_archive(a_house(emulator, tmp_path))


def an_archive(house: House) -> Archive:
    room, photo = house.room(), samples()["plain.jpg"].data
    for number in range(FILES):
        room.upload(photo + bytes([number]), f"bread {number}.jpg")
    for number in range(POSTS):
        room.draft("x", caption=f"Loaf {number}")
    made = house.deployment.whole_workspace.export_requests
    small = replace(made.export, part_bytes=2_000)
    return Archive(room, replace(made, export=small))


class Dies:
    """A bucket that is killed while the media of a part are read, as often as it is told."""

    def __init__(self, archive: Archive, at: int, times: int) -> None:
        self._store, self._left, self._times = archive.exports.export.store, at, times

    def size(self, key: str) -> int | None:
        return self._store.size(key)

    def read(self, key: str, offset: int, length: int) -> bytes:
        self._left -= 1
        if self._left < 0 and self._times:
            self._times -= 1
            raise OSError("killed")
        return self._store.read(key, offset, length)

    def of(self, archive: Archive) -> ExportRequests:
        store: Any = self
        return replace(archive.exports, export=replace(archive.exports.export, store=store))


def test_what_is_read_back_is_what_was_counted(archive: Archive) -> None:
    archive.ask()

    made = archive.exports.run()

    lines, media = archive.read_back()
    assert made == len(archive.request.parts) > 2
    assert archive.request.ended_at is not None
    assert Counter(dict(archive.request.counts)) == lines + Counter(media=FILES)
    assert (POSTS, FILES, FILES) == (lines["posts"], lines["files"], len(set(media)))


@pytest.mark.parametrize("at", range(8))
def test_one_that_is_cut_off_anywhere_goes_on(archive: Archive, at: int) -> None:
    archive.ask()

    Dies(archive, at, times=1).of(archive).run()
    cut_off = archive.request
    archive.exports.run()

    lines, media = archive.read_back()
    assert cut_off.ended_at is None
    assert archive.request.parts[: len(cut_off.parts)] == cut_off.parts
    assert (POSTS, FILES, FILES) == (lines["posts"], lines["files"], len(set(media)))
    assert len(archive.objects()) == len(archive.request.parts), "nothing half is left"


def test_one_that_does_not_get_on_is_given_up_and_can_be_asked_for_again(archive: Archive) -> None:
    archive.ask()
    dead = Dies(archive, 0, times=100).of(archive)

    for _ in range(MOST_TRIES):
        dead.run()
    tried = archive.request
    dead.run()
    given_up = archive.request
    archive.ask()
    archive.exports.run()

    assert (MOST_TRIES, None) == (tried.tries, tried.failed_at)
    assert given_up.failed_at is not None
    assert archive.request.ended_at is not None


def test_there_is_one_at_a_time(archive: Archive) -> None:
    archive.ask()

    with pytest.raises(ExportUnderWayError):
        archive.ask()


def test_a_new_one_takes_the_place_of_the_last(archive: Archive) -> None:
    archive.ask()
    archive.exports.run()
    first = archive.objects()

    archive.ask()
    archive.exports.run()

    assert not set(first) & set(archive.objects())
    assert len(archive.objects()) == len(archive.request.parts)


def test_who_comes_second_removes_what_it_made(archive: Archive) -> None:
    """Two reviews at once: the version of the row lets one of them go on."""
    archive.ask()
    real = archive.exports.export

    class Slow:
        def __getattr__(self, name: str) -> object:
            return getattr(real, name)

        def next_part(self, done: Exported, file: PartFile) -> Exported:
            done = real.next_part(done, file)
            archive.exports.rows.keep(archive.request)
            return done

    slow: Any = Slow()
    made = replace(archive.exports, export=slow).run()

    assert (0, [], ()) == (made, archive.objects(), archive.request.parts)


def test_it_goes_after_7_days(archive: Archive) -> None:
    archive.ask()
    archive.exports.run()
    clock = archive.room.house.clock

    clock.pass_time(KEPT - timedelta(seconds=1))
    archive.exports.run()
    before = len(archive.objects())
    clock.pass_time(timedelta(seconds=1))
    archive.exports.run()

    assert before > 2
    assert [] == archive.objects()
    assert archive.exports.rows.find(archive.room.workspace_id) is None
