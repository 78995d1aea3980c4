"""Runs a connector's own steps without its platform: what it would send, how it reads an answer.

Each connector has a `stage`: the checkpoint from which its steps are made, with stand-ins for the
platform's values (ids, addresses). `sent_content` makes them up to the call that carries the post
and returns its contents; `play` makes the visible call and gives it an answer to read. The code
that builds and reads is the connector's own (docs/api.md "Sandbox").
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Protocol, runtime_checkable

from requests.structures import CaseInsensitiveDict

from chalicelib.connectors.connector import Connector, MediaFile, Publication
from chalicelib.connectors.shared.calls.exchanges import Exchange
from chalicelib.connectors.shared.calls.failures import (
    UnlistedError,
    answer_behind,
    unlisted_refusal,
)
from chalicelib.connectors.shared.calls.stand_ins import answer_calls
from chalicelib.connectors.shared.prechecks import UnreadFile
from chalicelib.domain.outcome import Checkpoint, Failed, Outcome, Unanswered, Wait
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.bodies import Body, FormBody, JsonBody, JsonFileBody
from chalicelib.kit.transport.failures import PlatformError
from chalicelib.kit.transport.responses import PlatformResponse, find

STAND_IN = "stand-in"
"""Replaces an id that the platform would give."""

_FILE_IN_BASE64 = "{file in base64}"
_MOST_STEPS = 20
Path = tuple[str | int, ...]


def nothing(exchange: Exchange) -> Json:
    """Return an answer to calls whose answer does not matter."""
    del exchange
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """Where a connector's steps begin without its platform.

    The call of the step `contents` carries the post; `text_at` and `alt_at` are places in its body,
    `title_at` is that of a text that is sent as a title alone. `visible` is the step whose call is
    answered, if it is another one. `alt_text`, `first_comment` and `cover` are sent by calls of
    their own.
    """

    publication: Publication
    begin: Checkpoint
    contents: str
    text_at: Path
    visible: Checkpoint | None = None
    title_at: Path = ()
    alt_at: Path = ()
    alt_text: str | None = None
    first_comment: str | None = None
    cover: MediaFile | None = None
    answers: Callable[[Exchange], Json] = nothing


@runtime_checkable
class Staged(Connector, Protocol):
    """A connector whose steps can be made without its platform."""

    def stage(self, publication: Publication) -> Stage:
        """Return where the steps begin for a publication."""
        ...


def on_stage(publication: Publication, account: Mapping[str, Json] | None = None) -> Publication:
    """Return a publication whose file has an address, and whose account lacks nothing."""
    media, lacking = publication.media, account or {}
    remote = publication.account.remote_id or str(lacking.get("remote_id") or STAND_IN)
    settings = {**publication.account.settings, **lacking}
    settings.pop("remote_id", None)
    shown = None if media is None else _unread(media)
    signed = replace(publication.account, remote_id=remote, settings=settings)
    return replace(publication, account=signed, media=shown)


def _unread(media: MediaFile) -> MediaFile:
    poster = None if media.poster is None else _unread(media.poster)
    return replace(media, source=UnreadFile(), poster=poster)


def comment_of(publication: Publication) -> str | None:
    """Return the first comment as it would be sent, None without one."""
    text = publication.options.get("first_comment")
    return text if isinstance(text, str) and text else None


class _LeavesError(Exception):
    """The call that carries the post; no connector catches this."""

    def __init__(self, body: Body | None) -> None:
        super().__init__("The post would leave now.")
        self.body = body


def sent_content(connector: Staged, publication: Publication) -> dict[str, Json] | None:
    """Return what the platform would receive except the bytes, None if nothing is sent."""
    stage = connector.stage(publication)
    body = _contents(connector, stage)
    text = find(body, *stage.text_at) or (find(body, *stage.title_at) if stage.title_at else None)
    alt = find(body, *stage.alt_at) if stage.alt_at else None
    return {
        "text": text if isinstance(text, str) else "",
        "body": body,
        "file": about_file(publication.media),
        "cover": about_file(stage.cover),
        "alt_text": alt if isinstance(alt, str) and alt else stage.alt_text,
        "first_comment": stage.first_comment,
    }


def about_file(file: MediaFile | None) -> Json:
    """Return the description of a file that would be sent."""
    if file is None:
        return None
    return {
        "mime": str(file.mime),
        "size_bytes": file.size_bytes,
        "width": file.width,
        "height": file.height,
        "duration_s": file.duration_s,
    }


def _contents(connector: Connector, stage: Stage) -> Json:
    checkpoint = stage.begin

    def answer(exchange: Exchange) -> PlatformResponse:
        if checkpoint.step == stage.contents:
            raise _LeavesError(exchange.body)
        return _as_response(stage.answers(exchange))

    with answer_calls(answer):
        for _ in range(_MOST_STEPS):
            try:
                outcome = connector.advance(stage.publication, checkpoint)
            except _LeavesError as leaving:
                return _body_as_json(leaving.body)
            if not isinstance(outcome, Wait):
                return None
            checkpoint = outcome.checkpoint
    return None


def _body_as_json(body: Body | None) -> Json:
    match body:
        case JsonBody():
            return body.value
        case FormBody():
            return dict[str, Json](body.fields)
        case JsonFileBody():
            return _with_file(dict(body.value), body.path)
    return None


def _with_file(value: dict[str, Json], path: tuple[str, ...]) -> dict[str, Json]:
    """Name the place of a file in the call."""
    key, *deeper = path
    inner = value.get(key)
    if not deeper:
        return {**value, key: _FILE_IN_BASE64}
    below = dict(inner) if isinstance(inner, dict) else {}
    return {**value, key: _with_file(below, tuple(deeper))}


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A platform's answer to the visible call, to be played."""

    status: int
    body: bytes
    retry_after: str | None = None

    def to_response(self) -> PlatformResponse:
        """Return it as a response."""
        is_json = self.body.lstrip()[:1] in {b"{", b"["}
        headers = CaseInsensitiveDict[str](
            {"Content-Type": "application/json" if is_json else "text/html"}
        )
        if self.retry_after is not None:
            headers["Retry-After"] = self.retry_after
        return PlatformResponse(status=self.status, headers=headers, body=self.body)


def play(
    connector: Staged, publication: Publication, answer: Played, known: Mapping[str, Json]
) -> Outcome:
    """Let a connector make its visible call and read an answer to it.

    `known` is what its checkpoints gathered in earlier plays. A `Wait` contains the values for the
    next play, once the steps in between were made; an apparent success is a doubt, since nothing
    was accepted. Raises what the connector raises.
    """
    stage = connector.stage(publication)
    visible = stage.visible or stage.begin
    checkpoint, delay = Checkpoint(visible.step, {**visible.data, **known}), timedelta(0)
    for _ in range(_MOST_STEPS):
        is_visible = checkpoint.step == visible.step
        try:
            outcome = _step(connector, stage, checkpoint, answer if is_visible else None)
        except PlatformError as error:
            if is_visible and not _opens_only(connector, checkpoint, error):
                raise
            if is_visible:
                raise unlisted_refusal(connector.platform, error) from error
            break
        if isinstance(outcome, Failed) or (is_visible and isinstance(outcome, Unanswered)):
            return outcome
        if not isinstance(outcome, Wait):
            break
        checkpoint, delay = outcome.checkpoint, delay + outcome.delay
        if checkpoint.step == visible.step:
            return Wait(checkpoint, delay)
    return Unanswered(Checkpoint(visible.step, dict(known)))


def _opens_only(connector: Staged, checkpoint: Checkpoint, error: PlatformError) -> bool:
    """Tell whether it is an unlisted refusal of a call that publishes nothing: that is no doubt."""
    answer = answer_behind(error)
    says_why = answer is not None and answer.sentence is not None
    is_plain = isinstance(error, UnlistedError) and says_why
    return is_plain and checkpoint.step not in connector.irreversible


def _step(
    connector: Staged, stage: Stage, checkpoint: Checkpoint, answer: Played | None
) -> Outcome:
    """Make one step; the first call that changes something gets the answer, if there is one."""
    left = [] if answer is None else [answer.to_response()]

    def respond(exchange: Exchange) -> PlatformResponse:
        if left and exchange.method != "GET":
            return left.pop()
        return _as_response(stage.answers(exchange))

    with answer_calls(respond):
        return connector.advance(stage.publication, checkpoint)


def _as_response(value: Json) -> PlatformResponse:
    headers = CaseInsensitiveDict[str]({"Content-Type": "application/json"})
    return PlatformResponse(status=200, headers=headers, body=json.dumps(value).encode())
