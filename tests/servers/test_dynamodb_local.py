"""DynamoDB Local is waited for, however long a busy machine lets it listen without an answer."""

import socket
import subprocess
import sys
from contextlib import suppress
from threading import Thread

from tests.servers.dynamodb_local.server import answers

_REFUSAL = b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


def _answer_all_but_the_first(listening: socket.socket) -> None:
    silent, _ = listening.accept()
    with silent, suppress(OSError):  # it ends when nobody listens any more
        while True:
            asked, _ = listening.accept()
            with asked:
                asked.recv(4096)
                asked.sendall(_REFUSAL)


def test_an_engine_that_listens_and_is_silent_at_first_is_asked_again() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        engine = Thread(target=_answer_all_but_the_first, args=[listening], daemon=True)
        engine.start()
        process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)

        has_answered = answers(
            f"http://127.0.0.1:{listening.getsockname()[1]}", process, patience_s=1
        )

        process.communicate(b"\n")
        listening.shutdown(socket.SHUT_RDWR)
        engine.join()
    assert has_answered
