"""An export has all that is declared, in zips that are whole, wherever it was interrupted."""

import json
import stat
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from chalicelib.connectors.shared.auth.oauth import Client
from chalicelib.domain.ids import new_id
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.access import Role
from chalicelib.domain.workspace.accounts import SignIn
from chalicelib.domain.workspace.activity import Activity, Deed
from chalicelib.domain.workspace.operator_errors import UnknownWorkspaceError
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.dynamodb.table import Table, setting
from chalicelib.services.operator.export import ExportRunsError, OtherExportError
from chalicelib.services.operator.export_parts import PART_BYTES
from chalicelib.storage.media.store import S3MediaStore
from chalicelib.storage.row_kinds import ROW_KINDS, Exported
from chalicelib.storage.tables import post_key
from chalicelib.storage.workspace.activity import ActivityRows
from tests.api.http_house import a_house
from tests.api.http_room import House, Room
from tests.support.emulator import EmulatorProcess
from tests.support.kept_texts import every_row
from tests.support.sample_media import samples
from tests.workers.publishing.failures.faults import KilledError

SECRETS = ("access-of-ada", "refresh-of-ada")


@pytest.fixture
def house(emulator: EmulatorProcess, tmp_path: Path) -> House:
    return a_house(emulator, tmp_path)


def _baked(house: House, posts: int = 3, files: int = 2) -> Room:
    """Return a workspace with posts, results, files, people and an account with tokens."""
    room, plain = house.room(), house.deployment
    plain.people.pictures.rows.put(room.workspace_id, samples()["plain.jpg"].data)
    for number in range(files):
        room.upload(samples()["plain.jpg"].data + bytes([number]), f"bread {number}.jpg")
    for number in range(posts):
        room.draft("x", caption=f"Loaf {number}: ß, 🥖")
    room.sent("x", caption="Live")
    room.pass_time(timedelta(hours=2))
    plain.upkeep.metrics_worker.run()
    member = plain.people.administration.add_member(
        room.workspace_id, name="Grace", role=Role.EDITOR
    )
    plain.people.administration.create_key(member.id, name="Till")
    tokens = Tokens(access=SECRETS[0], refresh=SECRETS[1], expires_at=None, renew_at=None)
    plain.people.connections.connect(
        room.workspace_id,
        SignIn(
            platform=Platform.PINTEREST,
            remote_identity="ada",
            handle="@ada",
            tokens=tokens,
            settings={},
        ),
    )
    return room


def _export(
    house: House,
    room: Room,
    folder: Path,
    *,
    part_bytes: int = PART_BYTES,
    store: S3MediaStore | None = None,
) -> None:
    made = house.deployment.whole_workspace.export
    export = replace(made, part_bytes=part_bytes, store=store or made.store)
    for _ in export.go_on(room.workspace_id, folder):
        pass


def _lines(folder: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for part in sorted(folder.glob("part-*.zip")):
        with zipfile.ZipFile(part) as opened:
            assert opened.testzip() is None
            for name in opened.namelist():
                if not name.startswith("media/"):
                    lines = opened.read(name).splitlines()
                    yield from ((name.partition("/")[0], json.loads(line)) for line in lines)


def _media(folder: Path) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for part in sorted(folder.glob("part-*.zip")):
        with zipfile.ZipFile(part) as opened:
            names = [name for name in opened.namelist() if name.startswith("media/")]
            assert not set(names) & {f"media/{one}" for one in found}, "a file twice"
            found |= {name.removeprefix("media/"): opened.read(name) for name in names}
    return found


def _counted(house: House, room: Room) -> Counter[str]:
    """Count the rows of each kind that an export must have, in the tables themselves."""
    counts: Counter[str] = Counter()
    posts = {row["pk"] for row in every_row(house.deployment) if _is_its_post(row, room)}
    for row in every_row(house.deployment):
        pk, sk = str(row["pk"]), str(row["sk"])
        is_its = room.workspace_id in pk or pk in posts or _is_its_file(row, room)
        kinds = [name for name, kind in ROW_KINDS.items() if kind.fits(kind.store, pk, sk)]
        if is_its and ROW_KINDS[kinds[0]].exported is not Exported.NOT:
            counts[kinds[0]] += 1
    return counts


def _is_its_post(row: Mapping[str, Any], room: Room) -> bool:
    return row["sk"] == "POST" and row.get("workspace_id") == room.workspace_id


def _is_its_file(row: Mapping[str, Any], room: Room) -> bool:
    return row["sk"] == "MEDIA" and row.get("workspace_id") == room.workspace_id


def test_what_is_read_back_is_all_there_is(house: House, tmp_path: Path) -> None:
    room = _baked(house)
    expected = _counted(house, room)

    _export(house, room, tmp_path / "out")

    lines = list(_lines(tmp_path / "out"))
    assert Counter(str(line["kind"]) for _, line in lines) == expected
    captions = {line["caption"] for file, line in lines if file == "posts"}
    assert captions == {"Live", *(f"Loaf {number}: ß, 🥖" for number in range(3))}
    told = json.loads((tmp_path / "out" / "export.json").read_text())
    kept = Counter(file for file, _ in lines)
    assert Counter(told["counts"]) == kept + Counter(media=2)
    assert {"history", "results", "accounts", "members", "queue-times", "targets"} <= set(kept)


def test_files_are_as_they_are_kept(house: House, tmp_path: Path) -> None:
    room = _baked(house)

    _export(house, room, tmp_path / "out")

    store = house.deployment.media.store
    kept = {
        key.rpartition("/")[2]: store.whole(key)
        for key in store.keys(f"media/{room.workspace_id}/")
    }
    assert len(kept) == 2
    assert _media(tmp_path / "out") == kept


def test_no_secret_and_nobody_else_is_in_it(house: House, tmp_path: Path) -> None:
    room, neighbour = _baked(house), _baked(house)

    _export(house, room, tmp_path / "out")

    whole = json.dumps([line for _, line in _lines(tmp_path / "out")])
    for text in (*SECRETS, neighbour.workspace_id, room.key, "hash", "ciphertext"):
        assert text not in whole, text
    modes = {stat.S_IMODE(one.stat().st_mode) for one in (tmp_path / "out").iterdir()}
    assert modes == {0o600}


def test_an_application_of_its_own_is_named_without_its_secret(
    house: House, tmp_path: Path
) -> None:
    room = _baked(house)
    ways = house.deployment.sign_in.connecting.ways
    ours = Client("our-own-app", "hush-hush", "configuration-7")
    ways.set(Platform.THREADS, ours, workspace_id=room.workspace_id)

    _export(house, room, tmp_path / "out")

    lines = [line for _, line in _lines(tmp_path / "out")]
    [told] = [line for line in lines if line["kind"] == "application of a workspace"]
    assert (told["client_id"], told["config_id"]) == ("our-own-app", "configuration-7")
    assert "hush" not in json.dumps(lines)


def test_no_part_is_larger_than_its_bound(house: House, tmp_path: Path) -> None:
    room = _baked(house, files=5)
    size = len(samples()["plain.jpg"].data)

    _export(house, room, tmp_path / "out", part_bytes=2 * size + 4_000)

    parts = list((tmp_path / "out").glob("part-*.zip"))
    assert len(parts) >= 3
    assert max(part.stat().st_size for part in parts) < 2 * size + 8_000
    assert len(_media(tmp_path / "out")) == 5


class _Dies:
    """A bucket whose reader is killed at one of its reads."""

    def __init__(self, house: House, at: int) -> None:
        self._store, self._left = house.deployment.media.store, at

    def size(self, key: str) -> int | None:
        return self._store.size(key)

    def read(self, key: str, offset: int, length: int) -> bytes:
        self._left -= 1
        if self._left < 0:
            raise KilledError
        return self._store.read(key, offset, length)


class _DiesOnceNoted(ActivityRows):
    """Activity whose writer is killed right after a note."""

    def add(self, activity: Activity) -> None:
        super().add(activity)
        raise KilledError


def test_one_that_is_killed_anywhere_goes_on(house: House, tmp_path: Path) -> None:
    room = _baked(house, files=4)
    size = len(samples()["plain.jpg"].data) + 3_000
    expected = _counted(house, room)
    for at in range(8):
        folder = tmp_path / f"out-{at}"
        dies: Any = _Dies(house, at)
        with pytest.raises(KilledError):
            _export(house, room, folder, part_bytes=size, store=dies)
        assert not json.loads((folder / "export.json").read_text())["ended_at"]
        (folder / "part-0009.zip.unfinished").write_bytes(b"what a kill leaves")

        _export(house, room, folder, part_bytes=size)

        kinds = Counter(str(line["kind"]) for _, line in _lines(folder))
        kinds["activity"] = expected["activity"]  # each export before this one is noted there
        assert kinds == expected
        assert len(_media(folder)) == 4
        assert not list(folder.glob("*.unfinished"))


def test_one_that_is_killed_before_its_first_note_begins_anew(house: House, tmp_path: Path) -> None:
    room = _baked(house)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "export.json.unfinished").write_text('{"format"')

    _export(house, room, tmp_path / "out")

    assert sorted(one.name for one in (tmp_path / "out").iterdir()) == [
        "export.json",
        "part-0001.zip",
    ]


def test_one_at_a_time_writes_into_a_folder_and_its_end_frees_it(
    house: House, tmp_path: Path
) -> None:
    room = _baked(house)
    export = replace(house.deployment.whole_workspace.export, part_bytes=1_000)
    first = export.go_on(room.workspace_id, tmp_path / "out")
    next(first)

    with pytest.raises(ExportRunsError):
        _export(house, room, tmp_path / "out")
    list(first)
    _export(house, room, tmp_path / "out")

    assert len(_media(tmp_path / "out")) == 2


def test_a_row_that_nobody_can_read_is_told_as_it_is(house: House, tmp_path: Path) -> None:
    room = _baked(house)
    post = room.draft("x", caption="Odd")
    table = Table(house.deployment.clients.dynamodb, house.deployment.tables.posts)
    table.update(post_key(post["id"]), setting({"created_at": "never", "approval": "no JSON"}))

    _export(house, room, tmp_path / "out")

    odd = [line for file, line in _lines(tmp_path / "out") if line.get("caption") == "Odd"]
    assert [(line["created_at"], line["approval"]) for line in odd] == [("never", "no JSON")]


def test_a_folder_of_something_else_stays_as_it_is(house: House, tmp_path: Path) -> None:
    room, neighbour = _baked(house), _baked(house)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("Dear Ada")
    _export(house, neighbour, tmp_path / "theirs")
    (tmp_path / "theirs" / "part-0002.zip.unfinished").touch()

    for name in ("mine", "theirs"):
        with pytest.raises(OtherExportError):
            _export(house, room, tmp_path / name)

    assert [one.name for one in (tmp_path / "mine").iterdir()] == ["letter.txt"]
    assert (tmp_path / "theirs" / "part-0002.zip.unfinished").exists()


def test_it_is_noted_once_and_a_finished_one_stays(house: House, tmp_path: Path) -> None:
    room = _baked(house)

    _export(house, room, tmp_path / "out")
    _export(house, room, tmp_path / "out")

    told = house.deployment.workspace.activity.newest(room.workspace_id)
    assert [one.detail for one in told if one.deed is Deed.EXPORTED] == ["1 part"]


def test_one_that_is_killed_once_it_was_noted_is_noted_once(house: House, tmp_path: Path) -> None:
    room = _baked(house)
    made = house.deployment.whole_workspace.export
    dying = _DiesOnceNoted(house.deployment.stores.directory_table.table)
    killed = replace(made, activity=replace(made.activity, rows=dying))

    with pytest.raises(KilledError):
        list(killed.go_on(room.workspace_id, tmp_path / "out"))
    house.clock.pass_time(timedelta(hours=1))
    _export(house, room, tmp_path / "out")

    told = house.deployment.workspace.activity.newest(room.workspace_id)
    assert [one.detail for one in told if one.deed is Deed.EXPORTED] == ["1 part"]
    assert json.loads((tmp_path / "out" / "export.json").read_text())["ended_at"]


def test_what_is_not_there_is_not_exported(house: House, tmp_path: Path) -> None:
    with pytest.raises(UnknownWorkspaceError):
        list(house.deployment.whole_workspace.export.go_on(new_id(house.clock()), tmp_path / "out"))

    assert not (tmp_path / "out").exists()
