"""A room whose work goes through the functions of app.py, each under its own policy."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.connectors.connector import ConnectedAccount, Publication
from chalicelib.connectors.sandbox.connector import SandboxConnector
from chalicelib.connectors.shared.auth.oauth import Client, PendingSignIn
from chalicelib.connectors.shared.auth.sign_in import Identity
from chalicelib.connectors.shared.calls.failures import TokenRejectedError
from chalicelib.domain.media.media import Media
from chalicelib.domain.media.recipes import Recipe
from chalicelib.domain.outcome import Checkpoint, Outcome
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit import dataclass as values
from chalicelib.kit.dynamodb.items import stamp
from chalicelib.storage.engine.claims import TargetRef
from chalicelib.storage.media.prepared_copies import PreparedCopy
from chalicelib.workers.media.converting import Alive, CopyMaker
from tests.api.http_room import House, Room
from tests.deployment.policies.handlers import Function

GONE = "@gone"
"""Whose sign-in is refused when it is renewed."""


@values.dataclass(frozen=True, slots=True)
class RemovingMaker(CopyMaker):
    """Somebody removes the file while its copy is being made."""

    elsewhere: Deployment

    def make(self, media: Media, recipe: Recipe, alive: Alive, now: datetime) -> PreparedCopy:
        copy = CopyMaker.make(self, media, recipe, alive, now)
        self.elsewhere.media.library.take_away(media)
        return copy


class SignInPage:
    """A platform's page that lets everybody in."""

    def begin(self, client: Client, redirect_uri: str, handle: str | None = None) -> PendingSignIn:
        """Return a page, and what to remember."""
        del handle
        page = "https://platform.example"
        return PendingSignIn(
            url=page, state="state", verifier="", redirect_uri=redirect_uri, client=client
        )

    def finish(self, pending: PendingSignIn, redirected_to: str) -> Tokens:
        """Return tokens to whoever kept the application's secret."""
        del redirected_to
        return Tokens(access=str(pending.client.secret))


class SignedSandbox(SandboxConnector):
    """The sandbox as a platform with sign-ins by browser that are renewed at every use.

    Its visible step carries the file and an address of it, as TikTok's do.
    """

    oauth: Final = SignInPage()

    def identities(self, tokens: Tokens, now: datetime) -> list[Identity]:
        """Return two accounts, one of which the person has to choose."""
        del now
        return [
            Identity(remote_identity=name, handle=f"@{name}", tokens=tokens)
            for name in ("grace", "hedy")
        ]

    def advance(self, publication: Publication, checkpoint: Checkpoint) -> Outcome:
        if checkpoint.step == "publish" and publication.media is not None:
            publication.media.source.read(0, 1)
            publication.media.source.public_url(timedelta(hours=1))
        return super().advance(publication, checkpoint)

    def refresh(self, account: ConnectedAccount, tokens: Tokens, now: object) -> Tokens:
        del now
        if account.handle == GONE:
            raise TokenRejectedError("Signed out over there.")
        return tokens


@dataclass(frozen=True, slots=True)
class ThroughHandlers(Room):
    """A workspace whose wake messages go to each lane's function, as SQS would bring them."""

    publish: Function | None = None
    prepare: Function | None = None
    retry: Function | None = None
    convert: Function | None = None
    asleep: set[str] = field(default_factory=set)

    def run_due(self) -> None:
        """Work off everything that is due at this moment, through the functions."""
        assert self.publish is not None
        assert self.prepare is not None
        waking = self.waking(self.house.clock())
        assert self.publish.work([_message(ref) for ref in waking]) == []
        for ref in waking:
            assert self._slower(ref).work([_message(ref)]) == []
        self._convert()

    def _slower(self, ref: TargetRef) -> Function:
        """Return the function whose queue a target's message goes to once it was not fired."""
        assert self.prepare is not None
        assert self.retry is not None
        target = self.house.deployment.stores.targets.get(ref)
        is_tried_again = target is not None and target.is_tried_again
        return self.retry if is_tried_again else self.prepare

    def _convert(self) -> None:
        """Work off what preparation asked the convert lane for."""
        assert self.convert is not None
        plain = self.house.deployment
        url = plain.clients.sqs.get_queue_url(QueueName=plain.settings.convert_queue)["QueueUrl"]
        while not self.asleep and (
            found := plain.clients.sqs.receive_message(QueueUrl=url).get("Messages")
        ):
            for message in found:
                assert self.convert.work([json.loads(message["Body"])]) == []
                plain.clients.sqs.delete_message(
                    QueueUrl=url, ReceiptHandle=message["ReceiptHandle"]
                )


def _message(ref: TargetRef) -> dict[str, str]:
    return {
        "post_id": ref.post_id,
        "target_id": ref.target_id,
        "workspace_id": ref.workspace_id,
        "wake_at": stamp(ref.wake_at),
    }


def through(house: House, functions: Mapping[str, Function]) -> ThroughHandlers:
    """Return a new workspace of the house, whose work the functions do."""
    made = house.room()
    return ThroughHandlers(
        house,
        made.workspace_id,
        made.key,
        publish=functions["publish"],
        prepare=functions["prepare"],
        retry=functions["retry"],
        convert=functions["convert"],
    )
