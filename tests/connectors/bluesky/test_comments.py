"""A post and its first comment on Bluesky's own server, once each, whatever happens in between."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from chalicelib.connectors.bluesky.connector import BlueskyConnector
from chalicelib.connectors.connector import Publication
from chalicelib.domain.outcome import Checkpoint, Outcome
from chalicelib.domain.platforms.platform import Platform
from tests.api.http_room import Document
from tests.connectors.bluesky.product import Bluesky
from tests.connectors.bluesky.server import HANDLE
from tests.connectors.support.fake_platform import Fault

pytestmark = pytest.mark.node

COMMENT = f"Recipe at bakery.com/menu, by @{HANDLE} #bread"
_TO_THE_LEASES_END = timedelta(minutes=20)


class KilledError(BaseException):
    """The process ended there: no code of ours sees it."""


def test_a_first_comment_answers_its_post(bluesky: Bluesky) -> None:
    post = bluesky.sent("Fresh bread", options={"first_comment": COMMENT})

    assert post["status"] == "published", post["targets"]
    (reply,) = _with_text(bluesky, COMMENT)
    uri = f"at://{bluesky.relay.server.did}/app.bsky.feed.post/"
    uri += post["targets"][0]["url"].rpartition("/")[2]
    assert {reply["reply"][name]["uri"] for name in ("root", "parent")} == {uri}
    kinds = [facet["features"][0]["$type"].rpartition("#")[2] for facet in reply["facets"]]
    assert sorted(kinds) == ["link", "mention", "tag"]


@pytest.mark.parametrize("step", ["publish", "answer", "comment"])
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_process_that_dies_leaves_one_post_with_one_comment(
    bluesky: Bluesky, step: str, when: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    caption, comment = f"Killed {when} {step}", f"Comment, killed {when} {step}"
    made = _draft(bluesky, caption, comment)
    kill = _dies_once(_connector(bluesky), step, when)
    monkeypatch.setattr(BlueskyConnector, "advance", kill)

    bluesky.room.act(made, "publish-now")
    with pytest.raises(KilledError):
        bluesky.room.pass_time(timedelta(minutes=1))
    bluesky.room.pass_time(_TO_THE_LEASES_END)

    assert bluesky.room.statuses(made) == ["published"]
    assert len(_with_text(bluesky, caption)) == 1
    assert len(_with_text(bluesky, comment)) == 1
    assert bluesky.room.show(made)["targets"][0]["error_message"] is None


@pytest.mark.parametrize("fault", [Fault.DROP_AFTER, Fault.ERROR_AFTER, Fault.DROP_BEFORE], ids=str)
@pytest.mark.parametrize("which", [0, 1], ids=["post", "comment"])
def test_a_lost_answer_to_either_makes_no_second(
    bluesky: Bluesky, fault: Fault, which: int
) -> None:
    first = bluesky.sent("Learn the way", options={"first_comment": "And back"})
    assert first["status"] == "published"
    begun = len(bluesky.relay.calls)
    again = bluesky.sent("Learn the way again", options={"first_comment": "And back again"})
    assert again["status"] == "published"
    places = [
        place
        for place, call in enumerate(bluesky.relay.calls[begun:])
        if call.path.endswith("putRecord")
    ]
    caption, comment = f"Lost {which} {fault}", f"Comment {which} {fault}"
    bluesky.relay.strike(places[which], fault)

    post = bluesky.sent(caption, options={"first_comment": comment})

    assert post["status"] == "published", post["targets"]
    assert len(_with_text(bluesky, caption)) == 1
    assert len(_with_text(bluesky, comment)) == 1


def _draft(bluesky: Bluesky, caption: str, comment: str) -> Document:
    target = {"account_id": bluesky.account_id, "options": {"first_comment": comment}}
    made = bluesky.room.post("/v1/posts", {"caption": caption, "targets": [target]})
    assert made.status == 201, made
    document: Document = made.json
    return document


def _connector(bluesky: Bluesky) -> BlueskyConnector:
    found = bluesky.room.house.deployment.connectors.real[Platform.BLUESKY]
    assert isinstance(found, BlueskyConnector)
    return found


def _dies_once(
    connector: BlueskyConnector, step: str, when: str
) -> Callable[[BlueskyConnector, Publication, Checkpoint], Outcome]:
    """Return a connector's step that is the process's last, the first time it is made."""
    real, left = type(connector).advance, [step]

    def advance(self: BlueskyConnector, publication: Publication, at: Checkpoint) -> Outcome:
        is_last = at.step in left
        if is_last:
            left.clear()
        if is_last and when == "before":
            raise KilledError
        outcome = real(self, publication, at)
        if is_last:
            raise KilledError
        return outcome

    return advance


def _with_text(bluesky: Bluesky, text: str) -> list[Document]:
    return [record for record in bluesky.relay.records() if record["text"] == text]
