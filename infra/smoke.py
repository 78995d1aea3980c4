"""`make smoke STAGE=…`: publishes one post of a test account on a deployed stage, over HTTP.

`make deploy` ends with it. A photo that has to be converted is uploaded, posted at once and waited
for: so API, queues, prepare, convert with its layer, publish, tables, bucket and key have all
worked. The workspace of these posts is made once; its key lives as long as one run.
"""

import struct
import time
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import click
import requests
from botocore.exceptions import BotoCoreError, ClientError

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.doctor.stages import stage_settings
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.access import Plan
from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.settings import Settings

WORKSPACE: Final = "Smoke tests of deployments"
_PATIENCE_S = 180.0
_POLL_S = 1.0
_CALL_S = 30.0
_SIDE = 400


class SmokeError(Exception):
    """The stage did not publish; the message says how far the post came."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tester:
    """Who posts: a key, and a test account on a platform that takes JPEG alone."""

    key: str
    key_id: str
    account_id: str


def is_reached(url: str) -> bool:
    """Tell whether a service of this project answers at an address."""
    try:
        answer = requests.get(f"{url.rstrip('/')}/v1/health", timeout=_CALL_S)
        return answer.ok and bool(answer.json() == {"ok": True})
    except requests.RequestException:
        return False


def smoke(settings: Settings, url: str, *, patience_s: float = _PATIENCE_S) -> str:
    """Publish one post at the API's address; return its live address. Raises SmokeError."""
    operator = Deployment(settings)
    tester = _tester(operator)
    try:
        return _published(url.rstrip("/"), tester, patience_s)
    finally:
        operator.people.administration.revoke_key(tester.key_id)


def _tester(operator: Deployment) -> Tester:
    people = operator.people.administration
    found = [one.workspace for one in people.list_workspaces() if one.workspace.name == WORKSPACE]
    if found:
        workspace = found[0]
        owner = people.list_members(workspace.id)[0]
        account = operator.people.connections.list(workspace.id)[0]
    else:
        workspace, owner = people.create_workspace(
            name=WORKSPACE, plan=Plan.STUDIO, timezone="UTC", approvals=False, owner_name="Deployer"
        )
        account = operator.people.connections.connect_test_account(
            workspace.id, platform=Platform.INSTAGRAM, handle="@smoke-test"
        )
    made = people.create_key(owner.id)
    return Tester(key=made.secret, key_id=made.key.id, account_id=account.id)


def _published(url: str, tester: Tester, patience_s: float) -> str:
    photo = {"file": ("smoke.png", a_png(), "image/png")}
    media = _call("POST", f"{url}/v1/media", tester, files=photo)
    target = {"account_id": tester.account_id}
    post = _call(
        "POST",
        f"{url}/v1/posts",
        tester,
        json={"caption": "A deployment", "media_ids": [media["id"]], "targets": [target]},
    )
    address = f"{url}/v1/posts/{post['id']}"
    _call("POST", f"{address}/publish-now", tester)
    deadline = time.monotonic() + patience_s
    while time.monotonic() < deadline:
        target = _call("GET", address, tester)["targets"][0]
        if target["status"] == "published":
            return str(target["url"])
        if target["status"] == "failed":
            why = f"{target['error_code']}: {target['error_message']}"
            raise SmokeError(f"Post {post['id']} was not published. {why}")
        time.sleep(_POLL_S)
    raise SmokeError(
        f"Post {post['id']} is {target['status']} after {patience_s:.0f} s. "
        f"`post show {post['id']}` and the logs of Prepare, Convert and Publish say why."
    )


def _call(method: str, url: str, tester: Tester, **sent: Any) -> Mapping[str, Any]:  # noqa: ANN401 - what requests takes
    headers = {"Authorization": f"Bearer {tester.key}"}
    try:
        answer = requests.request(method, url, headers=headers, timeout=_CALL_S, **sent)
        document: Mapping[str, Any] = answer.json()
    except requests.RequestException as problem:
        raise SmokeError(f"{method} {url} was not answered with JSON: {problem}") from problem
    if not answer.ok:
        raise SmokeError(f"{method} {url} was answered {answer.status_code}: {document}")
    return document


def a_png() -> bytes:
    """Return a small square photo in one colour, as PNG."""
    line = b"\0" + bytes((218, 165, 32)) * _SIDE
    header = struct.pack(">IIBBBBB", _SIDE, _SIDE, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(line * _SIDE)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    checksum = zlib.crc32(kind + data)
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", checksum)


@click.command()
@click.option("--stage", required=True, metavar="NAME")
@click.option(
    "--dns-may-follow",
    is_flag=True,
    help="If the public address does not lead to the stage yet, say so and succeed.",
)
def main(stage: str, *, dns_may_follow: bool) -> None:
    """Publish one post by a test account on a deployed stage."""
    try:
        settings = stage_settings(stage)
        if dns_may_follow and settings.public_url and not is_reached(settings.public_url):
            click.echo(
                f"{settings.public_url} does not lead to this stage yet, so no post was tried. "
                f"Point its DNS at the stage (docs/deploy.md), then: make smoke STAGE={stage}"
            )
            return
        live = smoke(settings, settings.base_url)
    except SmokeError as failed:
        raise click.ClickException(
            f"{failed}\nThe release before: make rollback STAGE={stage}"
        ) from failed
    except (OperatorError, ClientError, BotoCoreError) as problem:
        raise click.ClickException(str(problem)) from problem
    click.echo(f"Stage {stage} published a post: {live}")


if __name__ == "__main__":
    main()
