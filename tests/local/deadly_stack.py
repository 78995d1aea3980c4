"""The real stack, but that one caption's upload ends its process, as the kernel would.

`python -m chalicelib.local` runs it when told `--stack-modules tests.local.deadly_stack`. Each end
is noted in the data directory.
"""

import os
import signal
import time
from pathlib import Path

from chalicelib.connectors.connector import Publication
from chalicelib.connectors.sandbox.connector import SandboxConnector
from chalicelib.domain.outcome import Checkpoint, Outcome
from chalicelib.local.wiring import *  # noqa: F403 - every part is the real one

DEADLY = "This ends whoever uploads it"
_advance = SandboxConnector.advance


def _end_at_the_upload(
    self: SandboxConnector, publication: Publication, checkpoint: Checkpoint
) -> Outcome:
    if publication.text == DEADLY and checkpoint.step not in self.irreversible:
        with (Path(os.environ["GOLDENHOUR_DATA_DIR"]) / "ended").open("a") as told:
            told.write(f"{time.time()}\n")
        os.kill(os.getpid(), signal.SIGKILL)
    return _advance(self, publication, checkpoint)


SandboxConnector.advance = _end_at_the_upload  # type: ignore[method-assign]
