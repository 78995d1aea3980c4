"""The upload front's role: it can do what comes to its path, and nothing it never does."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import pytest

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.domain.errors import PathNotFound, UnsupportedMedia
from chalicelib.domain.media.types import MediaType
from chalicelib.domain.workspace.access import Caller, Plan
from chalicelib.domain.workspace.plans import storage_limit
from chalicelib.domain.workspace.sessions import NOTE_USE_EVERY
from chalicelib.kit.asgi.messages import Request, Response
from chalicelib.kit.dynamodb.items import attributes
from chalicelib.storage.media.pull_links import PullLink
from chalicelib.storage.tables import storage_key
from chalicelib.web.messages import SESSION_COOKIE
from tests.api.doors.forms import FORM_TYPE, part
from tests.api.http.endpoint_cases import a_photo
from tests.deployment.policies.handlers import Function, under
from tests.deployment.policies.iam import Arns, front_grants
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.frozen_clock import FrozenClock
from tests.support.sample_media import Clip, box, encode

MORE_THAN_ONE_PART = 20_000_000


@dataclass(frozen=True, slots=True)
class Front:
    """What the container runs, a key for it, and the cookie and form token of a session."""

    function: Function
    key: str
    revoked_key: str
    cookie: str
    form_token: str

    def ask(self, method: str, body: bytes = b"", **more: str) -> Response:
        headers = {"authorization": f"Bearer {self.key}", "content-type": FORM_TYPE, **more}
        request = Request(method=method, path="/v1/media", query={}, headers=headers, body=body)
        return self.function.pipeline.answer(request)

    def send_by_page(self, body: bytes) -> Response:
        """Send a file by a page's form."""
        headers = {"cookie": f"{SESSION_COOKIE}={self.cookie}", "content-type": FORM_TYPE}
        request = Request(
            method="POST",
            path="/app/media",
            query={"form_token": [self.form_token]},
            headers=headers,
            body=body,
        )
        return self.function.pipeline.answer(request)

    def store(self, data: bytes) -> None:
        """Take a file in as the streaming door does, in pieces."""
        caller = self.function.deployment.workspace.authentication.authenticate(
            f"Bearer {self.key}"
        )
        library = self.function.deployment.media.library
        upload = library.open_upload(caller, "oven.mp4")
        try:
            upload.write(data)
            upload.finish()
        except Exception:
            upload.abort()
            raise


def _form(data: bytes) -> bytes:
    return part(data, 'name="file"; filename="bread.jpg"') + b"------one-of-a-kind--\r\n"


@pytest.fixture(scope="module")
def front(emulator: EmulatorProcess) -> Iterator[Front]:
    settings, clock = make_resources(emulator.endpoint), FrozenClock()
    operator = Deployment(settings, clock=clock)
    _, owner = operator.people.administration.create_workspace(
        name="Bakery", plan=Plan.STUDIO, timezone="UTC", approvals=False, owner_name="Ada"
    )
    key = operator.people.administration.create_key(owner.id).secret
    revoked = operator.people.administration.create_key(owner.id)
    operator.people.administration.revoke_key(revoked.key.id)
    cookie = operator.people.sign_in_links.redeem(operator.people.sign_in_links.make(owner.id))
    signed_in = operator.people.sessions.read(cookie)
    assert cookie is not None
    assert signed_in is not None
    clock.pass_time(NOTE_USE_EVERY)
    arns = Arns(settings)
    with pytest.MonkeyPatch.context() as environment:
        function = under(front_grants(arns), "front", arns, clock, environment)
        yield Front(function, key, revoked.secret, cookie, signed_in.form_token)


@pytest.fixture(scope="module")
def used(front: Front) -> Function:
    """Return the front's function after everything that comes to its path."""
    video = encode(Clip())
    assert front.ask("POST", _form(a_photo())).status == 201
    assert front.ask("POST", _form(b"no picture")).status == 415
    assert front.send_by_page(_form(a_photo())).status == 303
    assert front.send_by_page(_form(b"no picture")).status == 415
    head = int.from_bytes(video[:4], "big")
    front.store(video[:head] + box(b"free", bytes(MORE_THAN_ONE_PART)) + video[head:])
    with pytest.raises(UnsupportedMedia):
        front.store(box(b"ftyp", b"isom", bytes(8)) + box(b"free", bytes(MORE_THAN_ONE_PART)))
    caller = front.function.deployment.workspace.authentication.authenticate(f"Bearer {front.key}")
    broken = front.function.deployment.media.library.open_upload(caller, "oven.mp4")
    broken.write(video + box(b"free", bytes(MORE_THAN_ONE_PART)))
    broken.abort()
    assert front.ask("GET").status == 200
    assert replace(front, key=front.revoked_key).ask("GET").status == 401
    _repeat(front, caller)
    _pull(front.function)
    _fill(front.function, caller.workspace_id)
    assert front.ask("POST", _form(a_photo())).status == 402
    return front.function


def _repeat(front: Front, caller: Caller) -> None:
    """Send a file with an Idempotency-Key, again, and once more after it was removed."""
    plain, more = Deployment(front.function.arns.settings), {"idempotency-key": "k"}
    first, second = (front.ask("POST", _form(a_photo()), **more) for _ in range(2))
    plain.media.library.remove(caller, json.loads(first.body)["id"])
    third = front.ask("POST", _form(a_photo()), **more)
    assert [201, 200, 201] == [answer.status for answer in (first, second, third)]


def _fill(front: Function, workspace_id: str) -> None:
    """Leave the workspace no room for another file."""
    plain = Deployment(front.arns.settings)
    row = {**storage_key(workspace_id), "used_bytes": storage_limit(Plan.STUDIO)}
    plain.clients.dynamodb.put_item(TableName=plain.tables.media, Item=attributes(row))


def _pull(front: Function) -> None:
    """Open what platforms fetch: a file, a copy, and one that is gone."""
    deployment = front.deployment
    bucket, plain = deployment.settings.media_bucket, Deployment(front.arns.settings)
    for key, is_there in (("media/a/b", True), ("prepared/a/b/c", True), ("media/a/c", False)):
        if is_there:
            plain.clients.s3.put_object(Bucket=bucket, Key=key, Body=b"data")
        link = PullLink(
            key=key,
            mime=MediaType.JPEG,
            filename="bread.jpg",
            size_bytes=4,
            expires_at=datetime(2100, 1, 1, tzinfo=UTC),
        )
        token = plain.media.pull_links.make(link)
        if is_there:
            file = deployment.media.pulled_files.open(token, link.filename)
            assert file.stored.read(0, 4) == b"data"
        else:
            with pytest.raises(PathNotFound):
                deployment.media.pulled_files.open(token, link.filename)


def test_the_front_needs_nothing_more(used: Function) -> None:
    assert used.refused == []


def test_the_front_is_allowed_nothing_that_it_never_does(used: Function) -> None:
    unused = [g for g in used.allowed if not any(g.covers(need) for need in used.needed)]

    assert unused == []
