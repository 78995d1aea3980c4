"""The ground of `test_state_machine`: a workspace and its model, and how an answer is compared.

A change is carried out in the model after the service has answered; both must refuse it alike or
come to the same end.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import ClassVar

from hypothesis.stateful import RuleBasedStateMachine

from tests.api.http_room import UNKNOWN_ID, Answer, Document, House, Room
from tests.api.state_machine.model import Model, Post, Refusal, Target, check_length
from tests.api.state_machine.model_engine import Patch, advance, edit
from tests.api.state_machine.model_view import engine_runs
from tests.support.frozen_clock import NOON

MOST_POSTS = 4
TRIAL_LENGTH = timedelta(days=14)


class ComparedPosts(RuleBasedStateMachine):
    """A workspace beside its model; `steps` counts the calls and the refusals met."""

    house: ClassVar[House]
    steps: ClassVar[Counter[str]]
    room: Room
    model: Model

    def __init__(self) -> None:
        super().__init__()
        self.house.clock.now = NOON

    @property
    def _is_over(self) -> bool:
        return self.model.plan == "trial" and self.model.now >= NOON + TRIAL_LENGTH

    @property
    def living(self) -> list[Post]:
        """Return the posts that were not deleted; none before there is a workspace."""
        if not hasattr(self, "model"):
            return []
        return [post for post in self.model.posts if not post.deleted]

    def _pick(self, nth: int) -> str:
        """Return the id of a post that lives, now and then of one that was deleted."""
        gone = [post.id for post in self.model.posts if post.deleted]
        if nth == 2 * MOST_POSTS or not self.living:
            return gone[-1] if gone else UNKNOWN_ID
        return self.living[nth % len(self.living)].id

    def _in(self, after: int | None) -> datetime | None:
        return None if after is None else self.model.now + timedelta(minutes=after)

    def _spelled(self, target: Target) -> Document:
        return {
            "account_id": self.room.account(target.platform),
            "caption_override": target.override,
            "scheduled_at": spelled(target.time),
        }

    def _find(self, post_id: str) -> Post | None:
        return next((post for post in self.model.posts if post.id == post_id), None)

    def _target_id(self, post_id: str, place: int) -> str:
        post = self._find(post_id)
        if post is None or place >= len(post.targets):
            return UNKNOWN_ID
        return post.targets[place].id

    def _require(self, post: Post | None) -> Post:
        if post is None or post.deleted:
            raise Refusal(404, "post_not_found")
        return post

    def _expect(self, answer: Answer, change: Callable[[], object], name: str) -> None:
        """Hold an answer against what the model says."""
        self.steps[name] += 1
        refusal = self._refusal(change)
        if refusal is None:
            assert answer.status < 300, (name, answer)
            return
        assert answer.refusal == refusal, (name, answer)
        self.steps[f"{name}: {refusal[1]}"] += 1

    def _refusal(self, change: Callable[[], object]) -> tuple[int, str] | None:
        """Carry a change out in the model; return how it must be refused, if it must."""
        if self._is_over:
            return 402, "plan_limit"
        try:
            change()
        except Refusal as refusal:
            return refusal.answer
        return None

    def _change(
        self, answer: Answer, post_id: str, change: Callable[[Post], object], name: str
    ) -> None:
        self._expect(answer, lambda: change(self._require(self._find(post_id))), name)

    def _patch(self, post_id: str, patch: Patch, body: Document) -> None:
        answer = self.room.ask("PATCH", f"/v1/posts/{post_id}", body=body)
        if answer.status == 200:
            name_new(answer.json, patch.add)
        golden = times_in(answer)
        self._change(answer, post_id, lambda p: edit(self.model, p, patch, golden), "patch")

    def _new(self, answer: Answer, post: Post, name: str) -> None:
        """Take a new draft over into the model, if it may be."""

        def check() -> None:
            for target in post.targets:
                check_length(post, target)
            self.model.require_room(post, post.targets)

        self._expect(answer, check, name)
        if answer.status != 201:
            return
        post.id = answer.json["id"]
        name_new(answer.json, post.targets)
        post.actions["post.created"] += 1
        self.model.posts.append(post)

    def _create(
        self,
        chosen: Sequence[str],
        post: Post,
        *,
        override: str | None = None,
        time: datetime | None = None,
    ) -> None:
        post.targets = [Target("", platform) for platform in chosen]
        post.targets[0].override, post.targets[0].time = override or None, time
        body = {
            "caption": post.caption,
            "targets": [self._spelled(target) for target in post.targets],
        }
        answer = self.room.post("/v1/posts", body, key=post.key)
        earlier = [one for one in self.living if post.key and one.key == post.key]
        if earlier and not self._is_over:
            assert (answer.status, answer.json["id"]) == (200, earlier[0].id)
            self.steps["create: repeated"] += 1
        else:
            self._new(answer, post, "create")

    def _pass(self, by: int) -> None:
        until = self.model.now + timedelta(minutes=by)
        engine_runs(self.house, [post.id for post in self.model.posts], until)
        advance(self.model, until)


def spelled(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()


def name_new(document: Document, targets: Sequence[Target]) -> None:
    """Give new targets the ids that the service gave them."""
    ids = {target["platform"]: target["id"] for target in document["targets"]}
    for target in targets:
        target.id = ids[target.platform]


def times_in(answer: Answer) -> Mapping[str, datetime]:
    """Return the times of an answer's targets: the only source of golden hours."""
    if answer.status != 200:
        return {}
    timed = [target for target in answer.json["targets"] if target["scheduled_at"]]
    return {target["id"]: datetime.fromisoformat(target["scheduled_at"]) for target in timed}
