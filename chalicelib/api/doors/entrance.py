"""Refuses requests that went around the entrance of a stage, CloudFront, to API Gateway's address.

A stage with a front is told a secret (`infra/parts/front.json`), which the entrance adds to every
request. Throttling, access rules and logs of the entrance hold for everybody then.
Elsewhere there is no secret and nothing is checked.
"""

import hmac
from dataclasses import dataclass
from typing import Final

from chalicelib.api.http.messages import Answers, Request, Response, json_response

HEADER: Final = "x-origin-secret"
_FORBIDDEN: Final = 403
_ELSEWHERE: Final = {
    "error": {
        "code": "forbidden",
        "message": "Requests are answered at the public address only.",
    }
}


@dataclass(frozen=True, slots=True)
class Entrance:
    """What answers requests that came through the entrance."""

    inside: Answers
    secret: str

    def answer(self, request: Request) -> Response:
        """Answer a request that has the secret, and no other."""
        said = request.headers.get(HEADER, "").encode()
        if not hmac.compare_digest(said, self.secret.encode()):
            return json_response(_FORBIDDEN, _ELSEWHERE)
        return self.inside.answer(request)


def behind_entrance(inside: Answers, secret: str | None) -> Answers:
    """Return what answers requests, behind the entrance if there is one."""
    return inside if secret is None else Entrance(inside, secret)
