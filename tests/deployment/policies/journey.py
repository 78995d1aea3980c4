"""One journey through everything that the functions of `app.py` do, each under its own policy.

`test_policies` holds what was asked of AWS meanwhile against the policies.
"""

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

import boto3
import pytest

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.connectors.shared.auth.oauth import Client
from chalicelib.connectors.shared.registry import Connectors
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.access import Role
from chalicelib.domain.workspace.accounts import Health, SignIn
from chalicelib.domain.workspace.activity import ActorKind
from chalicelib.domain.workspace.deletion import Deletion
from chalicelib.domain.workspace.notices import NoticeKind
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit.dynamodb.items import attributes, stamp
from chalicelib.services.app.connecting import Starter
from chalicelib.storage.media.addresses import OwnDoor
from chalicelib.storage.sandbox_here import SandboxHere
from chalicelib.storage.tables import post_key, target_key
from tests.api.http.endpoint_cases import CASES, a_photo
from tests.api.http_room import Document, House
from tests.deployment.policies.handlers import Function, a_function
from tests.deployment.policies.in_the_app import use_the_app
from tests.deployment.policies.through_handlers import (
    GONE,
    RemovingMaker,
    SignedSandbox,
    ThroughHandlers,
    through,
)
from tests.services.media.file_host import FileHost
from tests.support.asked_answers import CREDITS_DEPLETED, answered
from tests.support.closed_at_end import closed_at_end
from tests.support.emulator import EmulatorProcess, make_resources
from tests.support.frozen_clock import FrozenClock
from tests.support.many_rows import copy_post
from tests.support.push_service import PlayedBrowser
from tests.support.sample_media import Clip, encode, samples

FUNCTIONS = (
    "api_handler",
    "tick",
    "publish",
    "prepare",
    "retry",
    "convert",
    "finish_uploads",
    "collect",
    "notify",
    "review",
)
SENDER = "posts@bakery.example"


@dataclass(frozen=True, slots=True)
class Journey:
    """A stage, its functions, and a workspace in it."""

    functions: dict[str, Function]
    room: ThroughHandlers
    files: FileHost
    deleted: list[str] = field(default_factory=list)

    @property
    def house(self) -> House:
        return self.room.house

    def run(self) -> None:
        """Do everything that the service does."""
        self._requests()
        use_the_app(self.house, self.functions["api_handler"].pipeline)
        self._publishing()
        self._direct_uploads()
        self._fetched_uploads()
        self._signed_accounts()
        self._signed_in_by_browser()
        self._broken_sign_ins()
        self._exported()
        self._background()
        self._notices()

    def _requests(self) -> None:
        for case in CASES:
            ask = case.prepare(self.room)
            headers = {} if ask.key is None else {"idempotency-key": ask.key}
            path, _, query = ask.path.partition("?")
            asked = dict(pair.split("=", 1) for pair in query.split("&") if pair)
            answer = self.room.ask(
                ask.method, path, body=ask.body, raw=ask.raw, query=asked, headers=headers
            )
            assert answer.status < 500, (case.name, answer)

    def _publishing(self) -> None:
        for words in ("flaky:1", "ambiguous", "lost", "slow:5", "limit:60", "fail:x"):
            self.room.sent("linkedin", "x", caption=f"Bread sandbox:{words}")
        self.room.sent("instagram", media_ids=[self.room.upload(a_photo(), "bread.jpg")])
        video = self.room.upload(encode(Clip()))
        self.room.sent("facebook", media_ids=[video], caption="A film")
        self._asked_for_again_in_doubt()
        self._held_application()
        self._trimmed()
        self._conversions_in_the_way()
        self.room.sent("x", caption="With https://link.example")
        self.room.find({"from": self.room.in_(hours=-1), "to": self.room.in_(hours=1)})
        soon = self.room.upload(a_photo(), "soon.jpg")
        self.room.scheduled("instagram", at=self.room.in_(minutes=2), media_ids=[soon])
        self.room.run_due()
        self._poison_row()
        self.room.pass_time(timedelta(hours=2))

    def _asked_for_again_in_doubt(self) -> None:
        """Ask for what may be out already: it is looked for first, in the lane of retries."""
        post = self.room.sent("linkedin", caption="Bread sandbox:untellable")
        self.room.pass_time(timedelta(hours=2))
        assert self.room.statuses(post) == ["failed"], post
        assert self.room.act(post, "retry").status == 200

    def _held_application(self) -> None:
        """Have an application refused: its other posts wait, one tries, and the hold ends.

        The post that asks for the refusal gets it at each try, which holds up the others anew: who
        tries first is a matter of chance. So it is tried again for a while, and then cancelled.
        """
        refused = self.room.sent("x", caption=answered(402, CREDITS_DEPLETED))
        waiting = self.room.sent("x", caption="After it")
        assert self.room.statuses(waiting) == ["publishing"], waiting
        self.room.pass_time(timedelta(minutes=3))
        assert self.room.act(refused, "cancel").status == 200
        self._pass_until("published", waiting)

    def _trimmed(self) -> None:
        """Send the end of videos without keyframes there; one of them is removed afterwards."""
        for is_removed in (True, False):
            post, video = self._sent_trimmed()
            self._pass_until("published", post)
            if is_removed:
                assert self.room.ask("DELETE", f"/v1/media/{video}").status == 204

    def _pass_until(self, status: str, post: Document) -> None:
        """Let minutes go by: on a busy machine a storage call may end late and is tried again."""
        for _ in range(30):
            if self.room.statuses(post) == [status]:
                return
            self.room.pass_time(timedelta(minutes=1))
        raise AssertionError(self.room.show(post))

    def _sent_trimmed(self) -> tuple[Document, str]:
        video = self.room.upload(encode(Clip(seconds=180, fps=2, size=(64, 48))))
        target = {"account_id": self.room.account("x"), "options": {"trim": "end"}}
        return self.room.sent(media_ids=[video], caption="The end", targets=[target]), video

    def _conversions_in_the_way(self) -> None:
        """Convert late, without a place free, and while the file is being removed."""
        plain, lane = self.house.deployment, self.functions["convert"].deployment
        worker = lane.upkeep.convert_worker
        self.room.asleep.add("convert")
        self._sent_trimmed()
        self.room.pass_time(timedelta(minutes=3))
        self.room.asleep.clear()
        lane.upkeep.convert_worker = replace(worker, places=0)
        self._sent_trimmed()
        lane.upkeep.convert_worker = replace(worker, maker=RemovingMaker(worker.maker.store, plain))
        post = self.room.sent("instagram", media_ids=[self.room.upload(a_photo(), "b.jpg")])
        self._pass_until("failed", post)
        lane.upkeep.convert_worker = worker

    def _poison_row(self) -> None:
        """Let a target whose post nobody can read wake more often than can make sense."""
        post = self.room.scheduled("linkedin", caption="Poison")
        self._put(target_key(post["id"], post["targets"][0]["id"]), "wakes", 99)
        self._put(post_key(post["id"]), "created_at", "never")
        self.room.pass_time(timedelta(hours=1, minutes=1))
        made = stamp(datetime.fromisoformat(post["created_at"]))
        self._put(post_key(post["id"]), "created_at", made)

    def _put(self, key: dict[str, str], name: str, value: str | int) -> None:
        """Put a value into a row."""
        plain = self.house.deployment
        plain.clients.dynamodb.update_item(
            TableName=plain.tables.posts,
            Key=attributes(key),
            UpdateExpression="SET #name = :value",
            ExpressionAttributeNames={"#name": name},
            ExpressionAttributeValues=attributes({":value": value}),
        )

    def _direct_uploads(self) -> None:
        store = boto3.client("s3", endpoint_url=self.house.deployment.settings.endpoint_url)
        bucket = self.house.deployment.settings.media_bucket
        for contents, is_told in (
            (a_photo(), True),
            (b"no picture at all", True),
            (a_photo(), False),
            (None, True),
        ):
            size = len(contents or b"never sent")
            begun = self.room.post(
                "/v1/media/uploads", {"filename": "bread.jpg", "size_bytes": size}
            ).json
            key = f"incoming/{self.room.workspace_id}/{begun['media_id']}"
            if contents is not None:
                store.put_object(Bucket=bucket, Key=key, Body=contents)
            else:
                store.create_multipart_upload(Bucket=bucket, Key=key)
            event = {"Records": [{"s3": {"object": {"key": key}}}]}
            if is_told:
                assert self.functions["finish_uploads"].work([event]) == []

    def _fetched_uploads(self) -> None:
        for path, state in (("bread.mp4", "ready"), ("broken/x", "refused")):
            url = f"{self.files.origin}/{path}"
            begun = self.room.post("/v1/media/from-url", {"url": url}).json
            assert self.functions["finish_uploads"].work([{"fetch": begun["media_id"]}]) == []
            told = self.room.get(f"/v1/media/uploads/{begun['media_id']}").json
            assert told["state"] == state, told

    def _signed_accounts(self) -> None:
        for platform in (Platform.PINTEREST, Platform.LINKEDIN, Platform.INSTAGRAM):
            self._sign_in(platform)
        self.room.sent("linkedin", caption="Signed")
        self._armed_with_files()
        photo = self.room.upload(a_photo(), "bread.jpg")
        post = self.room.sent("pinterest", caption="Signed", media_ids=[photo])
        assert self.room.statuses(post) == ["published"], post
        self.room.unpublish(post)

    def _signed_in_by_browser(self) -> None:
        """Sign in with the operator's application, and with one of the workspace's own."""
        asked, room = self.functions["api_handler"].deployment.sign_in.connecting, self.room
        ways = self.house.deployment.sign_in.connecting.ways
        ways.set(Platform.TIKTOK, Client("operators", "secret-1"), workspace_id=None)
        own = Client("own", "secret-2")
        asked.ways.set(Platform.YOUTUBE, own, workspace_id=room.workspace_id)
        (owner,) = self.house.deployment.people.administration.list_members(room.workspace_id)
        starter = Starter(workspace_id=room.workspace_id, member_id=owner.id)
        for platform, secret in ((Platform.TIKTOK, "secret-1"), (Platform.YOUTUBE, "secret-2")):
            begun = asked.begin(starter, platform, None, None)
            chosen = asked.finish("state", begun.browser_mark, "code=1")
            assert len(chosen.choices) == 2
            ended = asked.choose(chosen.state, begun.browser_mark, "grace")
            assert ended.account is not None
            kept = self.house.deployment.stores.token_store.read(ended.account)
            assert kept is not None
            assert kept.tokens.access == secret

    def _broken_sign_ins(self) -> None:
        """Let sign-ins end where a check, a visible call and the counting of views renew them."""
        for platform in (Platform.THREADS, Platform.FACEBOOK):
            self._sign_in(platform, handle=GONE)
            self.room.scheduled(platform, at=self.room.in_(days=3), caption="Signed out")
        photo = self.room.upload(a_photo(), "gone.jpg")
        soon = self.room.scheduled("threads", at=self.room.in_(minutes=14), media_ids=[photo])
        check = {
            "post_id": soon["id"],
            "target_id": soon["targets"][0]["id"],
            "workspace_id": self.room.workspace_id,
            "wake_at": stamp(self.house.clock()),
            "kind": "check",
        }
        assert self.functions["prepare"].work([check]) == []
        self.room.sent("facebook", caption="Signed out")
        for platform in (Platform.THREADS, Platform.FACEBOOK):
            del self.room.accounts[platform]
        self._sign_in(Platform.BLUESKY)
        self.room.sent("bluesky", caption="Live before it")
        self._sign_in(Platform.BLUESKY, handle=GONE, account_id=self.room.account("bluesky"))
        self.room.scheduled("bluesky", at=self.room.in_(days=30))
        self._sign_in(Platform.GOOGLE_BUSINESS_PROFILE, handle=GONE)
        self.room.scheduled(Platform.GOOGLE_BUSINESS_PROFILE, at=self.room.in_(days=30))

    def _sign_in(
        self, platform: Platform, *, handle: str = "@ada", account_id: str | None = None
    ) -> None:
        """Connect an account, or sign in to one again."""
        now, connections = self.house.clock(), self.house.operator.people.connections
        signed_in = SignIn(
            platform=platform,
            remote_identity="ada",
            handle=handle,
            tokens=Tokens(
                access="a",
                refresh="r",
                expires_at=now + timedelta(minutes=1),
                renew_at=now + timedelta(days=1),
            ),
            settings={},
        )
        if account_id is not None:
            connections.reconnect(account_id, signed_in)
            return
        account = connections.connect(self.room.workspace_id, signed_in)
        self.room.accounts[platform] = account.id

    def _exported(self) -> None:
        """Ask for an export in the app, let the review make it, and lead to a part of it."""
        plain, asked = self.house.deployment, self.functions["api_handler"].deployment
        owner = plain.workspace.authentication.authenticate(f"Bearer {self.room.key}")
        asked.whole_workspace.ownership.ask_for_export(owner)
        self.functions["review"].fire()
        self.functions["notify"].fire()
        assert asked.whole_workspace.ownership.part_address(owner, 1)

    def _armed_with_files(self) -> None:
        """Prepare a file and a copy of one ahead; their visible steps carry them."""
        photo, copied = self.room.upload(a_photo(), "bread.jpg"), samples()["plain.png"].data
        for file in (photo, self.room.upload(copied, "bread.png")):
            self.room.scheduled("instagram", at=self.room.in_(minutes=12), media_ids=[file])
        for _ in range(14):
            self.room.pass_time(timedelta(minutes=1))

    def _at_risk(self) -> None:
        """Schedule for an account whose sign-in is over; the review tells that it is at risk."""
        account_id = self.room.account("x")
        self.house.operator.people.connections.set_health(account_id, Health.BROKEN)
        photo = self.room.upload(a_photo(), "dusk.jpg")
        self.room.scheduled("x", at=self.room.in_(minutes=15), media_ids=[photo])
        self.functions["review"].fire()

    def _background(self) -> None:
        self.room.scheduled("linkedin", at=self.room.in_(minutes=1))
        gone = self.room.sent("linkedin", caption="Deleted over there")
        neighbour = through(self.house, self.functions)
        sent = neighbour.sent("linkedin")
        self._put(target_key(sent["id"], sent["targets"][0]["id"]), "published_at", "never")
        self._at_risk()
        self._series()
        self._broken_off_deletion()
        self._deleted_workspace(neighbour)
        self.room.scheduled("linkedin", at=self.room.in_(minutes=15, seconds=30))
        self.functions["tick"].fire()
        for hours in (1, 2, 6, 12, 24, 24, 48, 720, 3000, 5000):
            self.room.pass_time(timedelta(hours=hours))
            for name in ("tick", "collect", "review"):
                self.functions[name].fire()
            live = self.house.deployment.stores.posts.get_any(gone["id"]).targets[0]
            self.house.deployment.sandbox_store.remove(Platform.LINKEDIN, str(live.remote_id))
        stayed = self.house.deployment.whole_workspace.deletion.rows.tombstone(self.deleted[0])
        assert stayed is not None
        assert stayed.ended_at is not None, "a review may do all that a deletion does"
        self._canary()  # last: its reviews would erase what the first round has to collect

    def _canary(self) -> None:
        """Let a workspace of its own post each minute: reviews make and delete these posts."""
        apart = through(self.house, self.functions)
        apart.account("x")
        upkeep = self.functions["review"].deployment.upkeep
        upkeep.canary = replace(upkeep.canary, workspace_id=apart.workspace_id)
        self.functions["review"].fire()
        assert apart.get("/v1/posts").json["data"], "the canary has posts"
        for _ in range(3):
            self.room.pass_time(timedelta(minutes=25))
            self.functions["review"].fire()

    def _series(self) -> None:
        """Repeat a post with a photo: reviews make those that come later."""
        photo = self.room.upload(a_photo(), "again.jpg")
        post = self.room.scheduled("instagram", media_ids=[photo])
        answer = self.room.act(post, "repeat", {"every": "week", "interval": 2})
        assert answer.status == 201, answer

    def _broken_off_deletion(self) -> None:
        """Leave a deletion half done: the next review ends it."""
        plain = self.house.deployment
        sent = self.room.sent("linkedin", caption="Half deleted")
        post = plain.stores.posts.get(self.room.workspace_id, sent["id"])
        plain.stores.posts.save(post, replace(post, deleted_at=plain.clock()), events=())

    def _deleted_workspace(self, room: ThroughHandlers) -> None:
        """Ask for a workspace to be deleted: the reviews do it, and end it."""
        plain = self.house.deployment
        room.sent("instagram", media_ids=[room.upload(a_photo(), "bread.jpg")])
        named = {"caption": "Named", "targets": [{"account_id": room.account("linkedin")}]}
        assert room.post("/v1/posts", named, key="order-1").status == 201
        for pk in ("REPEAT#{}#upload#1", "SHARE#{}", "ACTIVITY#{}"):
            row = {"pk": pk.format(room.workspace_id), "sk": "2026-11-25T12:00:00Z"}
            plain.clients.dynamodb.put_item(TableName=plain.tables.directory, Item=attributes(row))
        flow = {"pk": "FLOW#1", "sk": "FLOW", "workspace_id": room.workspace_id}
        plain.clients.dynamodb.put_item(TableName=plain.tables.directory, Item=attributes(flow))
        (owner,) = plain.people.administration.list_members(room.workspace_id)
        both = plain.people.administration.add_member(
            self.room.workspace_id, name="Both", role=Role.VIEWER
        )
        person = plain.people.persons.join(room.workspace_id, owner.id, None, plain.clock())
        plain.people.persons.join(self.room.workspace_id, both.id, person.id, plain.clock())
        alone = plain.people.administration.add_member(
            room.workspace_id, name="Alone", role=Role.VIEWER
        )
        plain.people.persons.join(room.workspace_id, alone.id, None, plain.clock())
        address = "alone@bakery.example"
        plain.people.administration.ask_address(alone.id, email=address, notices=frozenset())
        plain.stores.members.prove_address(room.workspace_id, alone.id, address, plain.clock())
        asked = Deletion(
            workspace_id=room.workspace_id, asked_at=plain.clock(), by=ActorKind.OPERATOR
        )
        plain.whole_workspace.deletion.rows.begin(asked)
        self.deleted.append(room.workspace_id)

    def _notices(self) -> None:
        """Write to the owner of all that there is: a failure, a review, a sign-in, a pause."""
        plain, room = self.house.deployment, self.room
        ses = boto3.client("sesv2", endpoint_url=plain.settings.endpoint_url)
        ses.create_email_identity(EmailIdentity=SENDER)
        (owner,) = plain.people.administration.list_members(room.workspace_id)[:1]
        plain.people.administration.tell_member(
            owner.id, email="ada@bakery.example", notices=frozenset(NoticeKind)
        )
        grace = plain.people.administration.add_member(
            room.workspace_id, name="Grace", role=Role.EDITOR
        )
        plain.people.administration.ask_address(
            grace.id, email="grace@bakery.example", notices=frozenset(NoticeKind)
        )
        room.sent("x", caption="sandbox:fail:media_rejected")
        coming = room.upload(a_photo(), "coming.jpg")
        post = room.scheduled("instagram", at=room.in_(days=2), media_ids=[coming])
        copy_post(room, post["id"], 12)  # so many are read together
        plain.stores.engine_switch.pause()
        self._told_in_a_browser(owner.id)
        self.functions["notify"].fire()
        plain.stores.engine_switch.resume()

    def _told_in_a_browser(self, member_id: str) -> None:
        """Ask in the app to be told in a browser, end that, and leave one that cannot be told."""
        plain, people = self.house.deployment, self.functions["api_handler"].deployment.people
        links = self.house.operator.people.sign_in_links
        who = people.sessions.read(links.redeem(links.make(member_id)))
        assert who is not None
        assert people.browsers.key.public
        played = PlayedBrowser()
        asked = people.browsers.add(
            who, address="https://push.example/ada", key=played.key, secret=played.secret, device=""
        )
        assert people.browsers.end(who, asked.id)
        plain.people.browsers.rows.keep(replace(asked, address="https://10.0.0.1/ada"))


def a_journey(
    emulator: EmulatorProcess, folder: Path, environment: pytest.MonkeyPatch, files: FileHost
) -> Journey:
    clock = FrozenClock()
    settings = replace(make_resources(emulator.endpoint), notices_sender=SENDER)
    environment.setenv("GOLDENHOUR_TRUSTED_ORIGINS", files.origin)
    functions = {name: a_function(name, settings, clock, environment) for name in FUNCTIONS}
    for function in functions.values():
        deployment = function.deployment
        sandbox = deployment.connectors.sandbox
        signed = {
            platform: SignedSandbox(platform, deployment.sandbox_store, "http://127.0.0.1")
            for platform in Platform
        }
        deployment.connectors = Connectors(sandbox=sandbox, real=signed)
        door = OwnDoor(links=deployment.media.pull_links, url="https://files.example", clock=clock)
        preparation = replace(deployment.preflight.preparation, addresses=door)
        deployment.preflight = replace(deployment.preflight, preparation=preparation)
    plain = Deployment(settings, clock=clock)
    house = House(
        plain,
        functions["api_handler"].pipeline,
        plain,
        clock,
        closed_at_end(SandboxHere(folder)),
    )
    return Journey(functions, through(house, functions), files)
