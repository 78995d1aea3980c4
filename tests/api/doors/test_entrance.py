"""A stage behind CloudFront answers nobody who calls API Gateway's own address."""

import json
from dataclasses import dataclass, field

import pytest

from chalicelib.api.doors.chalice_app import behind_entrance
from chalicelib.kit.asgi.messages import Request, Response
from chalicelib.settings import ORIGIN_SECRETS, Settings


@dataclass(slots=True)
class Inside:
    """Counts what reaches it."""

    asked: list[str] = field(default_factory=list)

    def answer(self, request: Request) -> Response:
        self.asked.append(request.path)
        return Response(status=200)


def _ask(inside: Inside, *secrets: str, **headers: str) -> Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return behind_entrance(inside, secrets).answer(
        Request(method="GET", path="/v1/posts", headers=named)
    )


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param("bread", "salt", id="both"),
        pytest.param("bread", "renewed", id="the first alone"),
        pytest.param("renewed", "salt", id="the second alone"),
    ],
)
def test_a_request_with_one_of_the_secrets_is_answered(first: str, second: str) -> None:
    inside = Inside()

    answer = _ask(inside, "bread", "salt", x_origin_secret=first, x_second_origin_secret=second)

    assert answer.status == 200
    assert inside.asked == ["/v1/posts"]


@pytest.mark.parametrize("said", ["", "brea", "breads", "wörong", "salt", "bread,salt"])
def test_a_request_without_one_reaches_nothing(said: str) -> None:
    inside = Inside()

    answer = _ask(inside, "bread", "salt", x_origin_secret=said)

    assert (answer.status, json.loads(answer.body)["error"]["code"]) == (403, "forbidden")
    assert inside.asked == []
    assert _ask(inside, "bread", "salt").status == 403
    assert _ask(inside, "bread", "salt", x_second_origin_secret="bread").status == 403


def test_without_a_front_nothing_is_checked() -> None:
    without = dict.fromkeys(ORIGIN_SECRETS, "")

    assert Settings.from_environment(without).origin_secrets == ()
    assert _ask(Inside()).status == 200
