"""A platform that answers what it is told to, and the calls that tests make to it."""

from chalicelib.connectors.shared.calls.failures import ErrorEntry, ErrorTable
from chalicelib.connectors.shared.calls.http import Call, PlatformHttp
from chalicelib.domain.outcome import FailureCode
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.transport.responses import PlatformResponse
from tests.connectors.support.fake_platform import Answer, FakePlatform, Received
from tests.support.frozen_clock import FrozenClock

SECRET = "tok-lighthouse"
ERRORS: ErrorTable = {
    "187": ErrorEntry(FailureCode.DUPLICATE_CONTENT, "Said before."),
    "expired": FailureCode.AUTH_EXPIRED,
    "slow": FailureCode.RATE_LIMITED,
    "404": FailureCode.UNKNOWN,
    "402": ErrorEntry(FailureCode.RATE_LIMITED, "The credits are spent.", ours=True),
}


class Echo(FakePlatform):
    """Answers what it is told to, and keeps what it was sent."""

    says = Answer(200, {"id": 7})

    def answer(self, call: Received) -> Answer:
        del call
        return self.says


def codes(response: PlatformResponse) -> list[str]:
    """Read the codes of an answer as a connector does."""
    return [str(response.find("error")), str(response.status)]


def an_http() -> PlatformHttp:
    """Return the way out to the platform."""
    return PlatformHttp(
        Platform.X, ERRORS, codes, reset_header="x-rate-limit-reset", clock=FrozenClock()
    )


def a_call(url: str, **more: object) -> Call:
    """Return a call with a token in it."""
    return Call(method="POST", url=url, token=SECRET, **more)  # type: ignore[arg-type]
