"""Comments on a post: said by members, resolved, part of the history and never of what goes out."""

import re
from datetime import timedelta

import pytest

from chalicelib.domain.posts.comments import LONGEST, MOST_COMMENTS
from chalicelib.domain.posts.history import Action, Event, event
from chalicelib.domain.workspace.access import Role
from tests.api.http_room import UNKNOWN_ID, House
from tests.web.browser import Browser


def comments(browser: Browser, post_id: object) -> list[Event]:
    events = browser.room.house.deployment.stores.posts.history(str(post_id)).events
    return [one for one in events if one.action is Action.COMMENTED]


def test_a_comment_is_said_resolved_and_kept_in_the_history(browser: Browser) -> None:
    post = browser.room.scheduled("linkedin")
    grace = browser.as_role(Role.CONTRIBUTOR)

    grace.send(f"/app/posts/{post['id']}/comments", {"comment": " Is <this> rye?\nI doubt it. "})
    (said,) = comments(browser, post["id"])
    page = browser.open(f"/app/posts/{post['id']}").text
    path = f"/app/posts/{post['id']}/comments/{said.id}/resolve"
    resolved, again = browser.send(path), browser.send(path)
    after = browser.open(f"/app/posts/{post['id']}").text

    assert said.detail == {"comment": "Is <this> rye?\nI doubt it."}
    assert "Is &lt;this&gt; rye?" in page
    assert "Resolve the comment of Grace" in page
    assert (resolved.status, again.status) == (303, 404)
    assert "one resolved" in after
    assert "Resolve the comment" not in after


def test_a_comment_changes_nothing_of_the_post(browser: Browser) -> None:
    post = browser.room.scheduled("linkedin")
    before = browser.room.get(f"/v1/posts/{post['id']}")

    browser.send(f"/app/posts/{post['id']}/comments", {"comment": "Good"})

    after = browser.room.get(f"/v1/posts/{post['id']}")
    assert after.json == before.json
    assert after.response.headers["ETag"] == before.response.headers["ETag"]


@pytest.mark.parametrize("text", [" ", "y" * (LONGEST + 1), "y" * 50_000])
def test_what_is_no_comment_is_told_with_what_was_typed(browser: Browser, text: str) -> None:
    post = browser.room.sent("linkedin")

    answer = browser.send(f"/app/posts/{post['id']}/comments", {"comment": text})

    assert answer.status == 422
    assert answer.problem
    assert text.strip()[:40] in answer.text
    assert comments(browser, post["id"]) == []


def test_a_post_takes_so_many_comments(browser: Browser) -> None:
    post = browser.room.draft("linkedin")
    now = browser.room.house.clock()
    told = [event(Action.COMMENTED, "Ada", now, {"comment": "Good"}) for _ in range(MOST_COMMENTS)]
    posts = browser.room.house.deployment.stores.posts
    for start in range(0, MOST_COMMENTS, 50):
        posts.note(post["id"], told[start : start + 50])

    answer = browser.send(f"/app/posts/{post['id']}/comments", {"comment": "One more"})

    assert answer.status == 422
    assert answer.problem == "A post takes at most 200 comments."


def test_a_deleted_posts_comments_go_with_its_words(browser: Browser) -> None:
    post = browser.room.draft("linkedin")
    browser.send(f"/app/posts/{post['id']}/comments", {"comment": "A secret loaf"})

    browser.room.delete(post)

    kept = browser.room.house.deployment.stores.posts.history(str(post["id"]))
    assert "secret" not in str(kept)


def test_a_viewer_reads_comments_and_an_unknown_post_has_none(browser: Browser) -> None:
    post = browser.room.sent("linkedin")
    browser.send(f"/app/posts/{post['id']}/comments", {"comment": "Good loaf"})

    page = browser.as_role(Role.VIEWER).open(f"/app/posts/{post['id']}").text
    unknown = browser.send(f"/app/posts/{UNKNOWN_ID}/comments", {"comment": "Good"})

    assert "Good loaf" in page
    assert ">Comment</button>" not in page
    assert unknown.status == 404


def unread(browser: Browser, name: str) -> list[str]:
    """Return what waits for a member, by name: the texts of comments."""
    given, workspace_id = browser.room.house.deployment, browser.room.workspace_id
    members = {one.name: one.id for one in given.stores.members.list(workspace_id)}
    return [one.comment.text for one in given.posting.comments.unread(workspace_id, members[name])]


def test_a_thread_tells_its_members_until_it_is_resolved(browser: Browser) -> None:
    post = browser.room.scheduled("linkedin")
    place = f"/app/posts/{post['id']}/comments"
    grace = browser.as_role(Role.EDITOR)

    browser.send(place, {"comment": "Rye, @grace?"})
    (first,) = comments(browser, post["id"])
    asked = unread(browser, "Grace")
    grace.send(place, {"comment": "Rye.", "reply_to": first.id})
    answered = (unread(browser, "Grace"), unread(browser, "Ada"))
    page = browser.open(f"/app/posts/{post['id']}").text
    browser.send(f"{place}/{first.id}/resolve")
    late = grace.send(place, {"comment": "Spelt.", "reply_to": first.id})

    assert asked == ["Rye, @grace?"]
    assert answered == ([], ["Rye."])
    assert page.count("Reply to Ada") == 2
    assert (unread(browser, "Ada"), late.status) == ([], 404)


def test_posts_that_were_deleted_take_no_comments_place(browser: Browser) -> None:
    """Those of the 20 posts last spoken of are shown."""
    posts = [browser.room.draft("linkedin", caption=f"Rye {number}") for number in range(21)]
    grace = browser.as_role(Role.CONTRIBUTOR)
    for number, post in enumerate(posts):
        grace.send(f"/app/posts/{post['id']}/comments", {"comment": f"Rye {number}?"})
        browser.room.house.clock.pass_time(timedelta(seconds=1))
    before = unread(browser, "Ada")

    for post in posts[1:]:
        browser.room.delete(browser.room.show(post))

    assert before == [f"Rye {number}?" for number in range(20, 0, -1)]
    assert unread(browser, "Ada") == ["Rye 0?"]


def test_a_reviewer_comments_by_link_and_sees_only_what_is_shared(house: House) -> None:
    room = house.room(approvals=True)
    browser = Browser.of(room).signed_in()
    post = room.member(Role.CONTRIBUTOR).draft("linkedin")
    place = f"/app/posts/{post['id']}/comments"
    browser.send(place, {"comment": "He never likes rye"})
    browser.send(place, {"comment": "Rye or spelt?", "shared": "1"})
    said_by_us = {str(one.detail["comment"]): one for one in comments(browser, post["id"])}
    ours, shared = said_by_us["He never likes rye"], said_by_us["Rye or spelt?"]
    shared_page = browser.send(f"/app/review/{post['id']}/link")
    link = re.search(r"/review/[\w.-]+", browser.open(shared_page.location).text)
    assert link is not None
    stranger = Browser.of(room)

    seen = stranger.open(link[0]).text
    talk = f"{link[0]}/comments"
    said = stranger.send(talk, {"name": "Client", "comment": "Spelt", "reply_to": shared.id})
    refused = [
        stranger.send(talk, fields).status
        for fields in (
            {"name": "Client", "comment": "What?", "reply_to": ours.id},
            {"name": "Client", "comment": "y" * 50_000},
            {"name": "", "comment": "Who?"},
        )
    ]
    after = stranger.open(link[0]).text

    assert "Rye or spelt?" in seen
    assert "never likes" not in seen
    assert (said.status, refused) == (303, [404, 422, 409])
    assert "Client (review link)" in after
    by = sorted(one.by for one in comments(browser, post["id"]))
    assert by == ["Ada", "Ada", "Client (review link)"]
    assert unread(browser, "Ada") == ["Spelt"]
    assert "never likes" in browser.open(f"/app/posts/{post['id']}").text


def test_a_link_that_has_ended_takes_no_comment(house: House) -> None:
    room = house.room(approvals=True)
    stranger = Browser.of(room)

    answer = stranger.send(f"/review/{'0' * 32}.x/comments", {"name": "C", "comment": "Good"})

    assert answer.status == 404
