"""A stage behind CloudFront answers nobody who calls API Gateway's own address."""

import json
from dataclasses import dataclass, field

import pytest

from chalicelib.api.doors.chalice_app import behind_entrance
from chalicelib.api.http.messages import Request, Response
from chalicelib.settings import Settings


@dataclass(slots=True)
class Inside:
    """Counts what reaches it."""

    asked: list[str] = field(default_factory=list)

    def answer(self, request: Request) -> Response:
        self.asked.append(request.path)
        return Response(status=200)


def _ask(inside: Inside, secret: str | None, **headers: str) -> Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return behind_entrance(inside, secret).answer(
        Request(method="GET", path="/v1/posts", headers=named)
    )


def test_a_request_with_the_secret_is_answered() -> None:
    inside = Inside()

    assert _ask(inside, "bread", x_origin_secret="bread").status == 200
    assert inside.asked == ["/v1/posts"]


@pytest.mark.parametrize("said", ["", "brea", "breads", "wörong"])
def test_a_request_without_it_reaches_nothing(said: str) -> None:
    inside = Inside()

    answer = _ask(inside, "bread", x_origin_secret=said)

    assert (answer.status, json.loads(answer.body)["error"]["code"]) == (403, "forbidden")
    assert inside.asked == []
    assert _ask(inside, "bread").status == 403


def test_without_a_front_nothing_is_checked() -> None:
    assert Settings.from_environment({"GOLDENHOUR_ORIGIN_SECRET": ""}).origin_secret is None
    assert _ask(Inside(), None).status == 200
