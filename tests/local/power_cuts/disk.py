"""A disk that is told what programs did, and can say what a power cut would leave of it.

The model is stricter than any file system: bytes are there only after a sync of their file, names
only after a sync of their folder. A cut may also keep any of the later writes, the last one in
part, in any order.
"""

from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.local.power_cuts.recording import Record

SECTOR = 512
_LOST = ("-shm",)
"""Shared memory that SQLite makes anew from its log."""


@dataclass(slots=True)
class File:
    """A file's bytes: what is on the disk, and the writes since, in order; None is a length."""

    synced: bytearray = field(default_factory=bytearray)
    later: list[tuple[int, bytes | None]] = field(default_factory=list)
    settled: int = 0
    lost: list[range] = field(default_factory=list)

    def sync(self, until: int) -> None:
        """Put the first writes, counted from the file's beginning, on the disk."""
        count = max(0, until - self.settled)
        for offset, data in self.later[:count]:
            _apply(self.synced, offset, data)
            self._forget_lost(offset, data)
        del self.later[:count]
        self.settled += count

    def lose(self, until: int) -> None:
        """Put the first writes nowhere: a sync of them failed, and no later one tries again.

        Their places read as zeros, whatever is written there later, until the file is truncated:
        ext4 did not come to say that there is something ("failed to convert unwritten extents").
        """
        count = max(0, until - self.settled)
        self.lost += [range(at, at + len(data)) for at, data in self.later[:count] if data]
        del self.later[:count]
        self.settled += count

    def _forget_lost(self, offset: int, data: bytes | None) -> None:
        if data is None:
            self.lost = [place for place in self.lost if place.start < offset]
        for place in self.lost:
            end = min(place.stop, len(self.synced))
            self.synced[place.start : end] = bytes(max(0, end - place.start))

    def now(self) -> bytes:
        """Return what programs read where no sync failed."""
        whole = bytearray(self.synced)
        for offset, data in self.later:
            _apply(whole, offset, data)
        return bytes(whole)

    def torn(self, chance: Random) -> bytes:
        """Return what is on the disk and some of what was written later, the last one in part."""
        left = bytearray(self.synced)
        kept = [write for write in self.later if chance.random() < 0.5]
        for offset, data in kept[:-1]:
            _apply(left, offset, data)
        for offset, data in kept[-1:]:
            end = None if data is None else chance.randrange(0, len(data) + 1, SECTOR)
            _apply(left, offset, None if data is None else data[:end])
        return bytes(left)


def _apply(content: bytearray, offset: int, data: bytes | None) -> None:
    if len(content) < offset:
        content.extend(bytes(offset - len(content)))
    if data is None:
        del content[offset:]
    else:
        content[offset : offset + len(data)] = data


@dataclass(slots=True)
class Folder:
    """A folder's names: those on the disk, and the changes since, in order."""

    synced: dict[str, int] = field(default_factory=dict)
    later: list[tuple[str, int | None]] = field(default_factory=list)
    settled: int = 0

    def sync(self, until: int) -> None:
        """Put the first changes, counted from the folder's beginning, on the disk."""
        count = max(0, until - self.settled)
        for name, number in self.later[:count]:
            _rename(self.synced, name, number)
        del self.later[:count]
        self.settled += count

    def now(self) -> dict[str, int]:
        """Return the names that programs find."""
        names = dict(self.synced)
        for name, number in self.later:
            _rename(names, name, number)
        return names


def _rename(names: dict[str, int], name: str, number: int | None) -> None:
    if number is None:
        names.pop(name, None)
    else:
        names[name] = number


class Disk:
    """The folder that was recorded; `root` is on the disk from the beginning."""

    def __init__(self) -> None:
        self._things: dict[int, File | Folder] = {0: Folder()}
        self._numbers: dict[int, int] = {}  # inodes are used again: each thing has a number too
        self._syncing: dict[tuple[int, int], int] = {}

    def play(self, record: Record) -> None:
        """Take up what one record says."""
        match record.kind:
            case "c" | "m":
                thing = File() if record.kind == "c" else Folder()
                number = self._numbers[record.inode] = len(self._things)
                self._things[number] = thing
                self._name(record.name, number)
            case "w" | "t":
                file = self._thing(record.inode)
                if isinstance(file, File):
                    file.later.append((record.offset, record.data if record.kind == "w" else None))
            case "s":
                thing = self._thing(record.inode)
                begun_at = thing.settled + len(thing.later)
                self._syncing[record.inode, record.offset] = begun_at
            case "S" | "f":
                self._end_sync(record)
            case "r":
                number = self._number(record.name)
                self._name(record.name, None)
                self._name(record.data.decode(), number)
            case "l":
                self._name(record.data.decode(), self._number(record.name))
            case "u":
                self._name(record.name, None)

    def _end_sync(self, record: Record) -> None:
        until = self._syncing.pop((record.inode, record.offset))
        thing = self._thing(record.inode)
        if record.kind == "S":
            thing.sync(until)
        elif isinstance(thing, File):
            thing.lose(until)

    def _thing(self, inode: int) -> File | Folder:
        return self._things[self._numbers.get(inode, 0)]

    def _parent(self, path: str) -> Folder:
        folder = self._things[0]
        for part in path.split("/")[:-1]:
            assert isinstance(folder, Folder)
            folder = self._things[folder.now()[part]]
        assert isinstance(folder, Folder)
        return folder

    def _number(self, path: str) -> int:
        return self._parent(path).now()[path.rpartition("/")[2]]

    def _name(self, path: str, number: int | None) -> None:
        if path:
            self._parent(path).later.append((path.rpartition("/")[2], number))

    def leave(self, target: Path, *, chance: Random | None = None, outside: str = "") -> None:
        """Write down what a cut leaves now: what was synced, and with `chance` some of the rest.

        What has a name that begins with `outside` is on another machine, so no cut touches them.
        """
        self._leave(0, target, chance, outside)

    def _leave(self, number: int, target: Path, chance: Random | None, outside: str) -> None:
        thing = self._things[number]
        if isinstance(thing, File):
            target.write_bytes(bytes(thing.synced) if chance is None else thing.torn(chance))
            return
        target.mkdir(exist_ok=True)
        for name, inner in thing.synced.items():
            if not name.endswith(_LOST) and not (outside and name.startswith(outside)):
                self._leave(inner, target / name, chance, "")
        for name, inner in thing.now().items() if outside else ():
            if name.startswith(outside):
                self._leave_untouched(inner, target / name)

    def _leave_untouched(self, number: int, target: Path) -> None:
        thing = self._things[number]
        if target.name.endswith(_LOST):
            return
        if isinstance(thing, File):
            target.write_bytes(thing.now())
            return
        target.mkdir(exist_ok=True)
        for name, inner in thing.now().items():
            self._leave_untouched(inner, target / name)
