"""Repeats, pauses and the key: what a call does when the way to the service fails."""

from datetime import datetime

import pytest
from answering import DROP, Answering
from publishing import Publisher
from scripted import BUSY, POST, refusal
from stack import free_port

from goldenhour import (
    ApiError,
    Client,
    NoAnswer,
    Retries,
    ServiceFailed,
    UnexpectedAnswer,
)
from goldenhour.error_codes import Busy, PostNotFound
from goldenhour.http.retrying import retry_after_s


def test_a_read_is_repeated_when_the_way_fails_and_pauses_grow(
    scripted: Client, answering: Answering, slept: list[float]
) -> None:
    answering.will(DROP)
    answering.will(502)
    answering.will(200, POST)

    post = scripted.posts.get(POST["id"])

    assert "Bread" == post.caption
    assert 3 == len(answering.received)
    assert 0.5 <= slept[0] < slept[1]


def test_making_a_post_is_repeated_under_one_key(scripted: Client, answering: Answering) -> None:
    answering.will(DROP)
    answering.will(503)
    answering.will(201, POST)

    scripted.posts.create(targets=["a" * 32])

    keys = [each.headers["Idempotency-Key"] for each in answering.received]
    assert 3 == len(keys)
    assert 1 == len(set(keys))
    assert len(keys[0]) <= 80


@pytest.mark.parametrize(
    "post_id", ["", "..", "../labels", "a/publish-now#", "a?b", "a b", "a%2Fb"]
)
def test_an_id_chooses_no_other_call(post_id: str, scripted: Client, answering: Answering) -> None:
    with pytest.raises(ValueError, match="ids have letters and digits"):
        scripted.posts.cancel(post_id)

    assert [] == answering.received


@pytest.mark.parametrize("key", ["хлеб", "rye\nbread", " rye", "rye\tbread"])
def test_a_key_that_no_header_can_carry_is_refused_before_anything_is_sent(
    key: str, scripted: Client, answering: Answering
) -> None:
    with pytest.raises(ValueError, match="Idempotency-Key takes plain letters"):
        scripted.posts.create(targets=["a" * 32], idempotency_key=key)

    assert [] == answering.received


def test_two_posts_have_two_keys(scripted: Client, answering: Answering) -> None:
    answering.will(201, POST)

    scripted.posts.create(targets=["a" * 32])
    scripted.posts.create(targets=["a" * 32])

    first, second = (each.headers["Idempotency-Key"] for each in answering.received)
    assert first != second


@pytest.mark.parametrize("what", ["schedule", "publish_now", "queue", "cancel", "retry"])
def test_what_may_have_been_done_is_not_repeated(
    what: str, scripted: Client, answering: Answering
) -> None:
    answering.will(DROP)

    with pytest.raises(NoAnswer) as failure:
        getattr(scripted.posts, what)("1" * 32)

    assert failure.value.maybe_done
    assert 1 == len(answering.received)


def test_what_was_not_taken_is_repeated_after_the_pause_that_was_asked_for(
    scripted: Client, answering: Answering, slept: list[float]
) -> None:
    answering.will(503, BUSY, Retry_After="7")
    answering.will(429, None, Retry_After="3")
    answering.will(200, POST)

    scripted.posts.publish_now("1" * 32)

    assert [7, 3] == slept
    assert 3 == len(answering.received)


def test_a_pause_that_is_too_long_is_left_to_the_caller(
    scripted: Client, answering: Answering, slept: list[float]
) -> None:
    answering.will(503, BUSY, Retry_After="3600")

    with pytest.raises(Busy) as refused:
        scripted.posts.get("1" * 32)

    assert 3600 == refused.value.retry_after_s
    assert [] == slept


def test_a_service_that_stays_busy_is_told_after_the_last_attempt(
    answering: Answering, slept: list[float]
) -> None:
    answering.will(503, BUSY)
    client = Client(answering.base_url, "k", retries=Retries(attempts=3), sleep=slept.append)

    with pytest.raises(ServiceFailed):
        client.posts.get("1" * 32)

    assert 3 == len(answering.received)


def test_a_delete_that_was_done_before_its_answer_was_lost_counts_as_done(
    scripted: Client, answering: Answering
) -> None:
    answering.will(DROP)
    answering.will(404, refusal("post_not_found"))

    scripted.posts.delete("1" * 32)

    assert 2 == len(answering.received)


def test_a_delete_of_nothing_is_an_error(scripted: Client, answering: Answering) -> None:
    answering.will(404, refusal("post_not_found"))

    with pytest.raises(PostNotFound):
        scripted.posts.delete("1" * 32)


def test_nobody_listening_is_told_as_such() -> None:
    client = Client(f"http://127.0.0.1:{free_port()}", "k", retries=Retries(attempts=1))

    with pytest.raises(NoAnswer) as failure:
        client.posts.publish_now("1" * 32)

    assert not failure.value.maybe_done
    assert "Nothing answers at" in str(failure.value)


def _expect_unsent(address: str, named: str) -> None:
    client = Client(address, "k", retries=Retries(attempts=1))

    with pytest.raises(NoAnswer, match=named) as failure:
        client.posts.publish_now("1" * 32)

    assert not failure.value.maybe_done


@pytest.mark.parametrize(
    "proxy",
    ["http://127.0.0.1:{port}", "127.0.0.1 3128"],
    ids=["nobody listens", "no address"],
)
@pytest.mark.parametrize("service", ["http://localhost:{port}", "https://posts.example.com"])
def test_a_proxy_that_leads_nowhere_is_named_and_nothing_was_sent(
    service: str, proxy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for scheme in ("http", "https"):
        monkeypatch.setenv(f"{scheme}_proxy", proxy.format(port=free_port()))
    monkeypatch.setenv("no_proxy", "")

    _expect_unsent(service.format(port=free_port()), "HTTP_PROXY")


def test_a_proxy_that_refuses_a_tunnel_is_named_and_nothing_was_sent(
    answering: Answering, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("https_proxy", answering.base_url)
    monkeypatch.setenv("no_proxy", "")

    _expect_unsent("https://posts.example.com", "HTTPS_PROXY")  # it answers CONNECT with 501


def test_a_request_that_a_proxy_took_before_it_broke_may_have_been_carried_out(
    answering: Answering, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", answering.base_url)
    monkeypatch.setenv("no_proxy", "")
    answering.will(DROP)
    address = f"http://localhost:{free_port()}"
    client = Client(address, "k", retries=Retries(attempts=1))

    with pytest.raises(NoAnswer) as failure:
        client.posts.publish_now("1" * 32)

    assert failure.value.maybe_done


def test_a_certificate_that_is_not_trusted_is_told_and_nothing_was_sent(
    publisher: Publisher,
) -> None:
    _expect_unsent(publisher.origin, "certificate")


@pytest.mark.parametrize("page", [b"<html>Sign in</html>", b'{"id": '])
def test_another_page_at_the_address_is_told_with_the_address(
    page: bytes, scripted: Client, answering: Answering
) -> None:
    answering.will(200, page)

    with pytest.raises(UnexpectedAnswer, match="is not this API: it answered 200") as told:
        scripted.me()

    assert answering.base_url in str(told.value)


def test_a_sign_in_page_on_the_way_is_told_without_its_parameters(
    scripted: Client, answering: Answering
) -> None:
    answering.will(302, None, Location="https://sign-in.example/start?token=secret")

    with pytest.raises(
        UnexpectedAnswer, match=r"leads to https://sign-in\.example/start\."
    ) as told:
        next(scripted.media.list())

    assert "secret" not in str(told.value)


@pytest.mark.parametrize("header", ["soon", "²", "-1", "Wed, 99 Foo 2026 99:99:99 GMT"])
def test_a_pause_that_cannot_be_read_is_one_of_our_own(header: str) -> None:
    assert retry_after_s(header) is None


@pytest.mark.parametrize("typed", ["{}/v1", "{}/v1/", " {}/ "])
def test_an_address_may_be_given_with_the_start_of_its_paths(
    typed: str, answering: Answering
) -> None:
    answering.will(200, POST)

    Client(typed.format(answering.base_url), "k").posts.get("1" * 32)

    assert [f"/v1/posts/{'1' * 32}"] == [each.path for each in answering.received]


@pytest.mark.parametrize(
    ("status", "told"), [(502, "may have been carried out"), (404, "check the address")]
)
def test_an_answer_without_a_code_says_where_it_came_from(
    status: int, told: str, scripted: Client, answering: Answering
) -> None:
    answering.will(status, None)

    with pytest.raises(ApiError, match=told):
        scripted.posts.publish_now("1" * 32)


@pytest.mark.parametrize("address", ["http://posts.example.com", "ftp://x", "posts.example.com"])
def test_the_key_is_not_sent_unencrypted_to_another_machine(address: str) -> None:
    with pytest.raises(ValueError, match=r"https"):
        Client(address, "k")


def test_unencrypted_is_possible_for_those_who_say_so() -> None:
    assert "http://api:8000" == Client("http://api:8000/", "k", insecure_http=True).base_url


def test_a_time_without_a_zone_is_refused_before_it_is_sent(
    scripted: Client, answering: Answering
) -> None:
    with pytest.raises(ValueError, match="time zone"):
        scripted.posts.schedule("1" * 32, at=datetime(2031, 3, 4, 9))  # noqa: DTZ001 - the point

    assert [] == answering.received
