"""Posts against the real service: drafts, checks, versions, choices, pages, waiting, results."""

from datetime import datetime, timedelta, timezone

import pytest
from stack import Stack

from goldenhour import Client, Conflict, Invalid, KeyReused, NewTarget, TargetChange, WaitedTooLong
from goldenhour.error_codes import PlatformUnreachable, Stale
from goldenhour.errors import NotFound

TOMORROW = datetime.now(timezone.utc).replace(microsecond=0) + timedelta(days=1)


def test_a_post_goes_from_draft_over_edits_to_live_and_is_taken_down(
    client: Client, stack: Stack
) -> None:
    draft = client.posts.create(
        targets=[NewTarget(account_id=stack.accounts["x"], scheduled_at=TOMORROW)],
        caption="Client journey",
    )
    edited = client.posts.edit(
        draft.id,
        caption="Client journey, edited",
        targets=[TargetChange(id=draft.targets[0].id, caption_override="Short")],
        add=[NewTarget(account_id=stack.accounts["linkedin"], scheduled_at=TOMORROW)],
    )
    scheduled = client.posts.schedule(draft.id)
    moved = client.posts.edit(
        draft.id,
        targets=[TargetChange(id=edited.targets[1].id, scheduled_at=TOMORROW + timedelta(hours=2))],
    )
    cancelled = client.posts.cancel(draft.id)
    live = client.posts.publish_now(draft.id).wait()
    removed = client.posts.unpublish(draft.id, live.targets[0].id)
    copy = client.posts.duplicate(draft.id)

    assert ["Short", None] == [target.caption_override for target in edited.targets]
    assert TOMORROW == scheduled.next_time
    assert TOMORROW + timedelta(hours=2) == moved.targets[1].scheduled_at
    assert "cancelled" == cancelled.status
    assert "published" == live.status
    assert "removed" == removed.targets[0].status
    assert ("draft", "Client journey, edited") == (copy.status, copy.caption)
    actions = [event.action for event in client.posts.history(draft.id).events]
    assert "target.published" in actions
    assert {"x", "linkedin"} == set(client.posts.metrics(draft.id).platforms)
    client.posts.delete(copy.id)
    with pytest.raises(NotFound):
        client.posts.get(copy.id)


def test_what_is_no_target_and_no_time_is_refused_in_words(client: Client, stack: Stack) -> None:
    (account,) = [each for each in client.accounts.list() if each.platform == "x"]
    draft = client.posts.create(targets=[stack.accounts["x"]], caption="Words")

    with pytest.raises(TypeError, match="an account's id, not Account"):
        client.posts.create(targets=[account])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="'2031-03-03' is no datetime"):
        client.posts.schedule(draft.id, at="2031-03-03")  # type: ignore[arg-type]


def test_a_text_by_itself_is_one_and_not_its_letters(client: Client, stack: Stack) -> None:
    draft = client.posts.create(targets=[stack.accounts["x"]], caption="One status")

    assert draft.id in [post.id for post in client.posts.list(status="draft")]
    with pytest.raises(NotFound) as refused:
        client.posts.create(targets=[stack.accounts["x"]], media_ids="0" * 32)
    assert "media_not_found" == refused.value.code


def test_a_change_of_what_was_read_only_is_refused_once_somebody_else_changed_it(
    client: Client, stack: Stack
) -> None:
    mine = client.posts.create(targets=[stack.accounts["x"]], caption="Version one")
    theirs = client.posts.edit(mine.id, caption="Version two", if_match=mine.etag)

    with pytest.raises(Stale) as refused:
        client.posts.publish_now(mine.id, if_match=mine.etag)

    assert isinstance(refused.value, Conflict)
    assert None is not mine.etag != theirs.etag
    assert theirs.etag == client.posts.get(mine.id).etag
    assert "draft" == client.posts.get(mine.id).status


def test_a_check_tells_every_problem_before_the_clock(client: Client, stack: Stack) -> None:
    draft = client.posts.create(
        targets=[stack.accounts["pinterest"], stack.accounts["instagram"]], caption="Checked"
    )

    found = client.posts.check(draft.id)

    places = {target.id: target.platform for target in draft.targets}
    errors = {(places[each.target_id], each.code) for each in found.data if each.level == "error"}
    assert not found.ready
    assert ("pinterest", "option_required") in errors
    assert ("instagram", "media_required") in errors
    with pytest.raises(Invalid) as refused:
        client.posts.schedule(draft.id, at=TOMORROW)
    assert refused.value.code in {"option_required", "media_required"}


def test_choices_suffice_to_publish(client: Client, stack: Stack, photo_id: str) -> None:
    account = stack.accounts["pinterest"]
    board = client.accounts.choices(account).data["board"][0]
    draft = client.posts.create(
        targets=[NewTarget(account_id=account, options={"board": board.id})],
        caption="With a board",
        media_ids=[photo_id],
    )

    assert client.posts.check(draft.id).ready
    assert "published" == client.posts.publish_now(draft.id).wait().status
    assert {} == client.accounts.choices(stack.accounts["bluesky"]).data


@pytest.fixture
def photo_id(client: Client, photo: object) -> str:
    """Return the id of an uploaded photo."""
    return client.media.upload(photo).id  # type: ignore[arg-type]


def test_a_platform_that_cannot_be_asked_is_told_as_such(client: Client, stack: Stack) -> None:
    made = stack.operator(
        "account", "connect", stack.workspace_id, "--platform", "tiktok",
        "--handle", "sandbox:tiktok_unreachable", "--test",
    )  # fmt: skip

    with pytest.raises(PlatformUnreachable):
        client.accounts.choices(str(made["account_id"]))
    stack.operator("account", "disconnect", str(made["account_id"]))


def test_a_list_goes_over_all_pages_and_keeps_its_filters(client: Client, stack: Stack) -> None:
    made = [
        client.posts.create(targets=[stack.accounts["x"]], caption=f"Paged {number}").id
        for number in range(7)
    ]
    client.posts.create(targets=[stack.accounts["x"]], caption="Another")

    found = [post.id for post in client.posts.list(q="Paged", status=["draft"], page_size=2)]

    assert made[::-1] == found


def test_the_same_key_answers_the_same_post(client: Client, stack: Stack) -> None:
    first, second = (
        client.posts.create(targets=[stack.accounts["x"]], caption="Once", idempotency_key="once-1")
        for _ in range(2)
    )

    assert first == second


def test_the_same_key_with_another_draft_is_an_error_and_not_the_first_post(
    client: Client, stack: Stack
) -> None:
    targets = [stack.accounts["x"]]
    first = client.posts.create(targets=targets, caption="One", idempotency_key="other-1")

    with pytest.raises(KeyReused) as reused:
        client.posts.create(targets=targets, caption="Two", idempotency_key="other-1")
    again = client.posts.create(targets=targets, caption="One", idempotency_key="other-1")

    assert first == reused.value.made
    assert [False, True] == [first.was_there, again.was_there]


def test_the_history_names_the_key_that_did_it(client: Client, stack: Stack) -> None:
    post = client.posts.create(targets=[stack.accounts["x"]], caption="By a key")

    (made,) = client.posts.history(post.id).events

    assert ("Demo owner", "Demo") == (made.by, made.detail["key"])


def test_waiting_for_a_post_tells_each_change_once(client: Client, stack: Stack) -> None:
    draft = client.posts.create(targets=[stack.accounts["x"]], caption="sandbox:slow:2 waited for")
    seen: list[str] = []

    client.posts.publish_now(draft.id).wait(on_change=lambda post: seen.append(post.status))

    assert "published" == seen[-1]
    assert "publishing" in seen
    with pytest.raises(WaitedTooLong):
        client.posts.schedule(
            client.posts.create(targets=[stack.accounts["x"]], caption="Far").id, at=TOMORROW
        ).wait(timeout_s=2)


def test_accounts_and_times_are_set_and_read(client: Client, stack: Stack) -> None:
    account = client.accounts.set_audience_regions(stack.accounts["reddit"], ["India"])
    slot = client.times.add_queue_slot(weekdays=[2], time="11:11", label="Once")
    slots = client.times.queue_slots()
    client.times.remove_queue_slot(slot.id)
    client.accounts.set_audience_regions(stack.accounts["reddit"], [])

    assert ("India",) == account.audience_regions
    assert slot in slots.data
    assert slot not in client.times.queue_slots().data
    assert 24 == len(client.times.golden_hours(["x"]).activity)
    assert 7 == client.times.summary(days=7).days
    assert client.health().ok
    assert "3.1.0" == client.openapi()["openapi"]
    assert client.accounts.tiktok_options(stack.accounts["tiktok"]).can_post
