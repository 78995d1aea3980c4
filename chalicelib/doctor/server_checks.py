"""Whether a server with an embedded stack is fit: disk, clock, sync, backup, public address.

Posts are sent by this machine's clock, so without time synchronization they are not sent at their
second. The public address is where platforms send people back and fetch files. It is called from
this machine: only from outside could one tell a network that does not route its own public address
back from one that does not answer at all, so no answer is a warning.
"""

import ctypes
import json
import shutil
import ssl
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from pathlib import Path
from urllib.parse import urlsplit

from chalicelib.doctor.examination import Finding, fine, grave, warning, wrong
from chalicelib.domain.clock import Clock
from chalicelib.kit.dataclass import dataclass
from chalicelib.settings import own_command

LAST_BACKUP = "last-backup.json"
DEMO_NOTES = ("demo.json", "demo.json.waiting")
SYNC_MODE = "sync"
"""The note of a data directory's last sync mode: `full` or `normal`."""
DEATHS = "deaths"
"""The note of when a process of the stack died repeatedly, and of its name."""
TOLD_FOR = timedelta(minutes=30)
LEAST_FREE_BYTES = 2 * 1_073_741_824
NO_ROOM_BYTES = 100 * 1_048_576
OLDEST_BACKUP = timedelta(days=2)
LARGEST_ERROR = timedelta(milliseconds=100)
_UNSYNCHRONISED = 0x40


class _Timex(ctypes.Structure):
    """The beginning of Linux's `struct timex`, adjtimex(2)."""

    _fields_ = (
        ("modes", ctypes.c_uint),
        ("offset", ctypes.c_long),
        ("freq", ctypes.c_long),
        ("maxerror", ctypes.c_long),
        ("esterror", ctypes.c_long),
        ("status", ctypes.c_int),
        ("rest", ctypes.c_byte * 256),
    )


def clock_error() -> timedelta | None:
    """Return the kernel's estimate of its clock's error, None if nothing sets the clock."""
    if sys.platform != "linux":
        return timedelta(0)
    state = _Timex()
    ctypes.CDLL(None).adjtimex(ctypes.byref(state))
    if state.status & _UNSYNCHRONISED:
        return None
    return timedelta(microseconds=state.esterror)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerChecks:
    """The checks of the machine of one data directory."""

    data_dir: Path
    clock: Clock
    free_bytes: Callable[[Path], int] = lambda path: shutil.disk_usage(path).free
    clock_error: Callable[[], timedelta | None] = clock_error

    def run(self) -> Iterator[Finding]:
        """Examine the disk, the clock, the sync mode and the last backup."""
        yield self._disk()
        yield self._time()
        yield from self._sync()
        yield from self._demo()
        yield from self._deaths()
        yield self._backup()

    def _disk(self) -> Finding:
        free = self.free_bytes(self.data_dir)
        message = f"{free / 1_073_741_824:.1f} GB free in {self.data_dir}"
        if free < NO_ROOM_BYTES:
            advice = "Free some at once: a full disk stops the service."
            return wrong("disk", message, advice)
        if free < LEAST_FREE_BYTES:
            return warning("disk", message, "Free some, or give the directory a larger disk.")
        return fine("disk", message)

    def _time(self) -> Finding:
        error = self.clock_error()
        if error is None:
            message = "Nothing sets this machine's clock: posts would go out early or late."
            return grave("clock", message, "Start chrony or systemd-timesyncd.")
        told = f"off by about {error.total_seconds() * 1000:.0f} ms"
        if error > LARGEST_ERROR:
            return warning("clock", told, "Check chrony or systemd-timesyncd.")
        return fine("clock", told)

    def _sync(self) -> Iterator[Finding]:
        mode = self._mode()
        if mode is None:
            return
        if mode == "full":
            yield fine("sync", "full: everything answered is on the disk")
        else:
            message = f"{mode}: a power cut can lose the last moments, and a post may go out twice."
            advice = f"Start it with `{own_command()} serve`, or set GOLDENHOUR_SYNC=full."
            yield warning("sync", message, advice)

    def _mode(self) -> str | None:
        """Return the last sync mode; None if no stack ran since the note is kept."""
        try:
            return (self.data_dir / SYNC_MODE).read_text(encoding="ascii").strip()
        except (OSError, ValueError):
            return None

    def _demo(self) -> Iterator[Finding]:
        """Name a demo workspace of earlier versions' `serve`; on a laptop it belongs there."""
        notes = [each for name in DEMO_NOTES if (each := self.data_dir / name).exists()]
        if not notes or self._mode() != "full":
            return
        try:
            workspace = json.loads(notes[0].read_text(encoding="utf-8"))["workspace_id"]
        except (OSError, ValueError, KeyError, TypeError):
            workspace = "ID"
        message = f"{notes[0]} holds a key of the workspace Demo as plain text."
        advice = f"Run `workspace delete {workspace}`, and delete the file."
        yield warning("demo workspace", message, advice)

    def _deaths(self) -> Iterator[Finding]:
        """Report a process that died repeatedly, until it has not for a while."""
        try:
            at, name = (self.data_dir / DEATHS).read_text(encoding="ascii").split()
            ago = self.clock() - datetime.fromisoformat(at)
        except (OSError, ValueError, TypeError):
            return
        if ago <= TOLD_FOR:
            minutes = ago.total_seconds() // 60
            message = f"The {name} process died again and again, {minutes:.0f} minutes ago."
            advice = (
                f"The log has what it said. `{own_command()} post stuck` names the posts that it "
                "may die of: cancel that one."
            )
            yield grave("processes", message, advice)

    def _backup(self) -> Finding:
        advice = "Run `backup FILE`, or start the timer of infra/server."
        try:
            note = json.loads((self.data_dir / LAST_BACKUP).read_text(encoding="utf-8"))
            age = self.clock() - datetime.fromisoformat(note["taken_at"])
        except (OSError, ValueError, KeyError, TypeError):
            return grave("backup", "There is no backup of this directory yet.", advice)
        hours = age.total_seconds() / 3600
        if age > OLDEST_BACKUP:
            return grave("backup", f"The last one is {hours:.0f} hours old.", advice)
        return fine("backup", f"{hours:.0f} hours old")


SUBJECT = "public address"
SOON = timedelta(days=14)
_PATIENCE_S = 5.0
_LARGEST_ANSWER = 10_000
_OK = 200


class AddressChecks:
    """The check of GOLDENHOUR_PUBLIC_URL from this machine."""

    def __init__(self, url: str, clock: Clock, context: ssl.SSLContext | None = None) -> None:
        """Trust what this machine trusts, unless a context says otherwise."""
        self._url = url.rstrip("/")
        self._clock = clock
        self._context = context or ssl.create_default_context()

    def run(self) -> Iterator[Finding]:
        """Call the service's health there, and check the certificate."""
        address = urlsplit(self._url)
        if not address.hostname:
            advice = "Set GOLDENHOUR_PUBLIC_URL to an address such as https://post.example."
            yield wrong(SUBJECT, f"{self._url} is not an address.", advice)
            return
        connection = self._connection(address.scheme, address.hostname, address.port)
        try:
            connection.request("GET", f"{address.path}/v1/health")
            ends_at = _certificate_ends(connection)
            yield self._finding_of_answer(connection.getresponse())
        except ssl.SSLError as error:
            yield wrong(SUBJECT, f"Its certificate is refused: {error.reason}.", _TLS)
        except (OSError, HTTPException) as error:
            message = f"{self._url} did not answer from this machine ({type(error).__name__})."
            yield warning(SUBJECT, message, _UNREACHED)
        else:
            yield from self._certificate(ends_at)
        finally:
            connection.close()

    def _connection(self, scheme: str, host: str, port: int | None) -> HTTPConnection:
        if scheme == "https":
            return HTTPSConnection(host, port, timeout=_PATIENCE_S, context=self._context)
        return HTTPConnection(host, port, timeout=_PATIENCE_S)

    def _finding_of_answer(self, answer: HTTPResponse) -> Finding:
        try:
            is_ours = json.loads(answer.read(_LARGEST_ANSWER)) == {"ok": True}
        except ValueError:
            is_ours = False
        if answer.status == _OK and is_ours:
            return fine(SUBJECT, f"{self._url} leads here")
        message = f"{self._url}/v1/health answers {answer.status}, but not as this service does."
        return wrong(SUBJECT, message, "Let the proxy there hand every path on to this service.")

    def _certificate(self, ends_at: datetime | None) -> Iterator[Finding]:
        if ends_at is not None and ends_at - self._clock() < SOON:
            message = f"Its certificate ends on {ends_at:%Y-%m-%d}."
            yield warning(SUBJECT, message, "The proxy's log says why it is not renewed.")


_TLS = "Let Caddy get one: the name must lead to this machine, and ports 80 and 443 be open."
_UNREACHED = "Open it from another network; if that fails too, look at DNS, firewall and proxy."


def _certificate_ends(connection: HTTPConnection) -> datetime | None:
    if not isinstance(connection.sock, ssl.SSLSocket):
        return None
    ends_at = (connection.sock.getpeercert() or {}).get("notAfter")
    if not isinstance(ends_at, str):
        return None
    return datetime.fromtimestamp(ssl.cert_time_to_seconds(ends_at), UTC)
