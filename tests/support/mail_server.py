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


@dataclass(slots=True)
class MailServer:
    """What was mailed; while `is_away` nothing is taken.

    `thinks_s` is how long it looks through a letter, `farewell` what it says to QUIT, `unknown` the
    mailbox that it refuses; `asked` are all that it was asked for. It looks through a letter to
    `slow` until `is_through` is set.
    """

    port: int
    letters: list[EmailMessage] = field(default_factory=list)
    is_away: bool = False
    thinks_s: float = 0.0
    farewell: str = "221 bye"
    unknown: str = ""
    refusal: str = "550 no such mailbox"
    asked: list[str] = field(default_factory=list)
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
            self._say("554 away" if kept.is_away else "220 ready")
            asked = ""
            while line := self.rfile.readline():
                match line.split()[0].upper():
                    case b"DATA":
                        self._say("354 go on")
                        kept.letters.append(message_from_bytes(self._body(), policy=default))
                        time.sleep(kept.thinks_s)
                        if asked == kept.slow:
                            kept.is_through.wait(60)
                        self._say("250 taken")
                    case b"RCPT":
                        asked = line.decode().partition("<")[2].partition(">")[0]
                        kept.asked.append(asked)
                        self._say(kept.refusal if asked == kept.unknown else "250 well")
                    case b"QUIT":
                        self._say(kept.farewell)
                        return
                    case _:
                        self._say("250 well")

        def _body(self) -> bytes:
            lines = []
            while (line := self.rfile.readline()) != b".\r\n":
                lines.append(line)
            return b"".join(lines)

        def _say(self, text: str) -> None:
            self.wfile.write(f"{text}\r\n".encode())

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Conversation) as server:
        server.daemon_threads = True
        kept = MailServer(port=server.server_address[1])
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        yield kept
        server.shutdown()
