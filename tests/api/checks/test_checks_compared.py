"""What /check says, held against what happens: seeded posts on accounts in every state.

Each post is checked as a draft, scheduled, changed by what may happen meanwhile, checked again and
sent at its second. Every failure there was an error of the check before it, and nothing that was an
error ever went out; what /schedule refused, the check had named with the same code.
"""

import io
import random
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import timedelta

import pytest
from PIL import Image

from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.accounts import Health
from tests.api.http_room import Document, House, Room
from tests.support.sample_media import Clip, encode

TEN_MINUTES = timedelta(minutes=10)
SEED = 20261122
FINAL = {"published", "failed", "removed", "cancelled"}
SAME = {"option_required": "invalid_options", "option_unknown": "invalid_options"}
OPTIONS: dict[str, list[Document]] = {
    "pinterest": [{}, {"board": "810000000000000001"}, {"board": "1"}, {"link": "nowhere"}],
    "reddit": [
        {},
        {"subreddit": "goldenhour_test"},
        {"subreddit": "nowhere"},
        {"subreddit": "r/bakers_corner", "kind": "link"},
        {"subreddit": "bakers_corner", "flair_id": "5a1b2c3d-0000-4000-8000-000000000001"},
        {"subreddit": "bakers_corner", "flair_text": "alone"},
    ],
    "youtube": [{}, {"playlist": "PLsandbox0000000000000000000000001"}, {"category": "999"}],
    "tiktok": [
        {},
        {"privacy_level": "SELF_ONLY"},
        {"privacy_level": "PUBLIC_TO_EVERYONE", "disclose_commercial": True},
    ],
    "google business profile": [
        {},
        {"topic_type": "EVENT"},
        {"call_to_action": {"type": "SHOP"}},
        {"offer": {"coupon": "RYE"}},
    ],
    "x": [{}, {"share_with_followers": True}, {"trim": "start"}],
    "linkedin": [{}, {"cta_label": "LEARN_MORE"}, {"author": "urn:li:person:other"}],
    "facebook": [{}, {"link": "https://lumen.example"}, {"post_type": "story"}],
    "instagram": [{}, {"post_type": "story"}, {"trial_reel": "MANUAL"}],
}
HANDLES = {
    "pinterest": "@bare sandbox:lacks:board",
    "reddit": "@bare sandbox:lacks:flair_id",
    "youtube": "@bare sandbox:lacks:playlist",
    "tiktok": "@quiet sandbox:tiktok_unreachable",
}
"""Accounts that lack a choice, or cannot be asked for it."""

CAPTIONS = ["Fresh bread", "", "See https://lumen.example/rye", "Rye " * 60]


@dataclass(slots=True)
class Found:
    """What came of all posts."""

    posts: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    published: int = 0


@dataclass(slots=True)
class Comparison:
    """One workspace with accounts in several states, and files of every kind."""

    room: Room
    chance: random.Random
    files: dict[str, tuple[bytes, str]]
    found: Found = field(default_factory=Found)
    lacking: dict[str, str] = field(default_factory=dict)

    def accounts(self) -> list[tuple[str, str]]:
        """Return the accounts of up to three platforms, some of which lack their choices."""
        names = self.chance.sample([str(platform) for platform in Platform], 3)
        return [(name, self._account(name)) for name in names[: self.chance.choice((1, 2, 3))]]

    def _account(self, name: str) -> str:
        if name not in HANDLES or self.chance.random() < 0.7:
            return self.room.account(name)
        if name not in self.lacking:
            self.lacking[name] = self.room.connect(name, HANDLES[name])
        return self.lacking[name]

    def one(self) -> None:
        """Take one post from its draft to its end."""
        targets = [
            {"account_id": account, "options": self.chance.choice(OPTIONS.get(name, [{}]))}
            for name, account in self.accounts()
        ]
        caption, file = self.chance.choice(CAPTIONS), self.chance.choice([None, *self.files])
        body = {"caption": caption, "targets": targets, "media_ids": [file] if file else []}
        made = self.room.post("/v1/posts", body)
        if made.status != 201:
            return
        self.found.posts += 1
        post, draft_errors = made.json, self.errors(made.json)
        answer = self.room.act(post, "schedule", {"at": self.room.in_(minutes=20)})
        if answer.status != 200:
            self.found.refused[answer.code] += 1
            assert answer.code in set(draft_errors.values()), (answer.json, draft_errors, body)
            return
        assert not set(draft_errors.values()) & {"option_required", "option_unknown"}, body
        self.happen(post)
        self.compare(post, self.errors(post), body)

    def happen(self, post: Document) -> None:
        """Let something happen to the post meanwhile, or nothing."""
        match self.chance.choice(("nothing", "nothing", "edit", "break", "disconnect", "delete")):
            case "edit":
                change = {"id": post["targets"][0]["id"], "caption_override": "New words"}
                self.room.patch(post, {"targets": [change]})
            case "break":
                account = post["targets"][0]["account_id"]
                self.room.house.operator.people.connections.set_health(account, Health.BROKEN)
            case "disconnect":
                gone = post["targets"][0]["account_id"]
                self.room.disconnect(gone)
                for kept in (self.room.accounts, self.lacking):
                    for name in [name for name, account in kept.items() if account == gone]:
                        del kept[name]
            case "delete" if post["media_ids"]:
                self._delete(post["media_ids"][0])

    def _delete(self, file: str) -> None:
        """Delete a file that the post uses; later posts get the same one anew."""
        assert self.room.ask("DELETE", f"/v1/media/{file}").status == 204
        kept = self.files.pop(file)
        self.files[self.room.upload(*kept)] = kept

    def errors(self, post: Document) -> dict[str, str]:
        """Return the first error of each target that the check names."""
        data = self.room.act(post, "check").json["data"]
        errors = [one for one in data if one["level"] == "error"]
        return {one["target_id"]: one["code"] for one in reversed(errors)}

    def compare(self, post: Document, errors: dict[str, str], body: Document) -> None:
        """Send the post and hold what became of each target against what was said of it."""
        for _ in range(4):
            self.room.pass_time(TEN_MINUTES)
        for target in self.room.show(post)["targets"]:
            assert target["status"] in FINAL, (target, body)
            said = errors.get(target["id"])
            if target["status"] == "failed":
                self.found.failed[target["error_code"]] += 1
                assert said is not None, (target, body)
                assert SAME.get(said, said) == target["error_code"], (said, target, body)
            else:
                self.found.published += 1
                assert said is None, (said, target, body)


def compare(house: House, posts: int, seed: int) -> Found:
    """Draw posts and compare; return what came of them."""
    room = house.room()
    files = {room.upload(*file): file for file in _files()}
    drawn = Comparison(room, random.Random(seed), files)
    for _ in range(posts):
        drawn.one()
    return drawn.found


def _files() -> list[tuple[bytes, str]]:
    """Return two photos, and a video of a common length and one that is too long for X."""
    clips = (Clip(seconds=2, fps=5), Clip(seconds=200, fps=1, with_sound=False))
    videos = [(encode(replace(clip, size=(64, 48))), "oven.mp4") for clip in clips]
    photos = [(_photo(kind), f"bread.{kind.lower()}") for kind in ("JPEG", "PNG")]
    return [*photos, *videos]


def _photo(kind: str) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (40, 30), "wheat").save(out, kind)
    return out.getvalue()


def test_what_a_check_says_is_what_happens(house: House) -> None:
    found = compare(house, 12, SEED)

    assert found.posts > 8
    assert found.published
    assert found.refused
    assert found.failed


@pytest.mark.prove
@pytest.mark.parametrize("part", range(8))
def test_what_two_thousand_checks_say_is_what_happens(house: House, part: int) -> None:
    """Eight parts of 250 posts, which can be run apart: `pytest -m prove -s FILE -k "[3]"`."""
    found = compare(house, 250, SEED + part)

    print(part, found)  # noqa: T201 - make prove
    assert found.posts > 125
