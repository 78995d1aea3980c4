"""What it takes until a function is ready, in processes that see nothing but a folder.

CPU time, not the clock's: this machine is shared, and on Lambda too a start is CPU-bound. It is a
figure to look at, held against the floor of chalice with one boto3 client.
"""

import os
import subprocess
from pathlib import Path
from typing import Final

FLOOR = "import chalice.app, boto3; boto3.client('dynamodb')"
_WIRED = "import app; wired = app.deployment(); wired.clients.dynamodb.meta; "
FUNCTIONS: Final = {
    "api_handler": f"{_WIRED}app.entrance(); app.PATHS['/v1/posts'](); wired.posting.drafts",
    "tick": f"{_WIRED}wired.clients.sqs.meta; wired.dispatcher",
    "publish": f"{_WIRED}wired.engine.fire_worker",
    "convert": f"{_WIRED}wired.clients.s3.meta; wired.upkeep.convert_worker",
    "prepare": f"{_WIRED}wired.clients.s3.meta; wired.engine.publish_worker",
    "retry": f"{_WIRED}wired.clients.s3.meta; wired.engine.retry_worker",
    "finish_uploads": f"{_WIRED}wired.clients.s3.meta; wired.upkeep.upload_worker",
    "collect": f"{_WIRED}wired.upkeep.metrics_worker",
    "notify": f"{_WIRED}wired.people.notices",
    "review": f"{_WIRED}wired.checking.risks, wired.upkeep.retention",
}
"""What each function has made before it can work; a client is made when it is first asked."""
_ENVIRONMENT: Final = {
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
    "PYTHONDONTWRITEBYTECODE": "1",
}


def cold_start_ms(
    folder: Path,
    start: str,
    interpreter: str,
    *,
    layers: tuple[Path, ...] = (),
) -> float:
    """Return the CPU milliseconds of a new process that runs `start` with only these folders."""
    seen = [str(one) for one in (folder, *layers)]
    code = f"import sys; sys.path[:0] = {seen!r}; {start}"
    return _cpu_ms([interpreter, "-I", "-S", "-c", code])


def _cpu_ms(command: list[str]) -> float:
    before = os.times()
    subprocess.run(command, env=_ENVIRONMENT, check=True, stderr=subprocess.DEVNULL)
    after = os.times()
    used = after.children_user + after.children_system
    return 1000 * (used - before.children_user - before.children_system)
