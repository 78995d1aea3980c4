"""A mail server on loopback that keeps what it is given: enough of RFC 5321 for one sender."""

import socketserver
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default

_WELL = {"EHLO": "250-well\r\n250 AUTH PLAIN", "AUTH": "235 signed in", "QUIT": "221 bye"}


@dataclass(slots=True)
class MailServer:
    """What was mailed; while `is_away` nothing is taken.

    `thinks_s` is how long it looks through a letter; `answers` is what it says to a command (to
    `DATA`, once it has the letter) instead of taking it, `heard` all that it was told. It looks
    through a letter to `slow` until `is_through` is set.
    """

    port: int
    letters: list[EmailMessage] = field(default_factory=list)
    is_away: bool = False
    thinks_s: float = 0.0
    answers: dict[str, str] = field(default_factory=dict)
    heard: list[str] = field(default_factory=list)
    slow: str = ""
    is_through: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        """The address as a setting names it."""
        return f"smtp://127.0.0.1:{self.port}?from=posts@bakery.example"


@contextmanager
def a_mail_server() -> Iterator[MailServer]:
    """Run a server until the block ends."""

    class Conversation(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self._say("421 away" if kept.is_away else "220 ready")
            asked = ""
            while line := self.rfile.readline().decode():
                command = line.split()[0].upper()
                kept.heard.append(command + line[len(command) :].rstrip())
                if command == "RCPT":
                    asked = line.partition("<")[2].partition(">")[0]
                if command == "DATA":
                    self._say("354 go on")
                    self._read(is_taken=command not in kept.answers)
                    if asked == kept.slow:
                        kept.is_through.wait(60)
                self._say(kept.answers.get(command) or _WELL.get(command, "250 well"))
                if command == "QUIT":
                    return

        def _read(self, *, is_taken: bool) -> None:
            body = b"".join(iter(self.rfile.readline, b".\r\n"))
            if is_taken:
                kept.letters.append(message_from_bytes(body, policy=default))
            time.sleep(kept.thinks_s)

        def _say(self, text: str) -> None:
            self.wfile.write(f"{text}\r\n".encode())

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Conversation) as server:
        server.daemon_threads = True
        kept = MailServer(port=server.server_address[1])
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        yield kept
        server.shutdown()
