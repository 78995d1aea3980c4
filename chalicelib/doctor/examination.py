"""The command `doctor`: does everything exist that this deployment needs, and may it be used.

A resource is examined by a few calls that change nothing, each failure a finding; the checks beside
this file share this code. The doctor runs them all, and adds the engine's switch, the accounts'
sign-ins and settings that depend on other systems; each finding says what to do.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Protocol

from botocore.exceptions import BotoCoreError, ClientError

from chalicelib.domain.clock import Clock
from chalicelib.domain.engine.holds import describe_hold, without_old
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.operator.engine_control import TOLD_AFTER
from chalicelib.storage.engine.switch import EngineSwitch
from chalicelib.storage.engine.targets import TargetRepository


class Verdict(StrEnum):
    """Whether something is as it should be; only WRONG makes `doctor` fail."""

    OK = "ok"
    WARNING = "warning"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that was checked; `advice` says what to do unless all is well.

    `stops_posts` marks a warning that `doctor --strict` counts as wrong: while it lasts, posts are
    not sent, or could not be restored.
    """

    subject: str
    verdict: Verdict
    message: str
    advice: str | None = None
    stops_posts: bool = False


def fine(subject: str, message: str) -> Finding:
    """Return the finding that a thing is as it should be."""
    return Finding(subject=subject, verdict=Verdict.OK, message=message)


def warning(subject: str, message: str, advice: str) -> Finding:
    """Return the finding that a thing works, but not as it should."""
    return Finding(subject=subject, verdict=Verdict.WARNING, message=message, advice=advice)


def grave(subject: str, message: str, advice: str) -> Finding:
    """Return the finding that posts are not sent, or could not be restored, but on purpose."""
    return replace(warning(subject, message, advice), stops_posts=True)


def wrong(subject: str, message: str, advice: str) -> Finding:
    """Return the finding that a thing is missing, broken or unreachable."""
    return Finding(subject=subject, verdict=Verdict.WRONG, message=message, advice=advice)


_STUCK = "`post stuck` names what waits; where nothing is sent at all, start the service again."
_SETTLE = "Settle it with {0}; the next post that {0} takes lets the others go."
DEPLOY = "Deploy the stack again: `make deploy`, or locally `make run`."
_DENIED = frozenset({"AccessDenied", "AccessDeniedException", "403", "UnauthorizedOperation"})
_EXPIRED = frozenset(
    {"ExpiredToken", "ExpiredTokenException", "InvalidClientTokenId", "UnrecognizedClientException"}
)


_ASK_AGAIN = (
    "Check the network, the region and the credentials; on one machine, the disk and the "
    "permissions of the data directory."
)


class Flaw(Exception):
    """A resource exists, but is not as it should be; the message says what is wrong."""


def examine(subject: str, look: Callable[[], str | Finding]) -> Finding:
    """Return a check's finding; a refused call or a flaw becomes a finding with advice."""
    try:
        seen = look()
        return seen if isinstance(seen, Finding) else fine(subject, seen)
    except Flaw as flaw:
        return wrong(subject, str(flaw), DEPLOY)
    except ClientError as error:
        return _finding_of_refusal(subject, error)
    except BotoCoreError as error:
        return wrong(subject, f"It could not be asked: {str(error).rstrip('.')}.", _ASK_AGAIN)


def _finding_of_refusal(subject: str, error: ClientError) -> Finding:
    code = error.response["Error"]["Code"]
    action = error.operation_name
    if code in _DENIED:
        advice = f"Allow {action} on it to the credentials in use."
        return wrong(subject, f"{action} is not allowed.", advice)
    if code in _EXPIRED:
        advice = "Sign in to AWS again, or set other credentials."
        return wrong(subject, "The credentials are not valid any more.", advice)
    return wrong(subject, f"{action} answered {code}.", DEPLOY)


class Checks(Protocol):
    """The checks of one kind of resource."""

    def run(self) -> Iterator[Finding]:
        """Check, and return the findings."""
        ...


class Doctor:
    """An examination of one deployment."""

    def __init__(
        self,
        *,
        checks: Sequence[Checks],
        sign_ins: Checks,
        switch: EngineSwitch,
        targets: TargetRepository,
        public_url: str | None,
        clock: Clock,
    ) -> None:
        self._checks = checks
        self._sign_ins = sign_ins
        self._switch = switch
        self._targets = targets
        self._public_url = public_url
        self._clock = clock

    def examine(self) -> list[Finding]:
        """Check everything; the tables' content only if the tables are in order."""
        found = [finding for checks in self._checks for finding in checks.run()]
        if all(finding.verdict is not Verdict.WRONG for finding in found):
            found += [*self._engine(), *self._sign_ins.run()]
        return [*found, self._address()]

    def _engine(self) -> Iterator[Finding]:
        state = self._switch.read()
        late = self._targets.oldest_waking(self._clock() - TOLD_AFTER)
        if state.paused:
            yield grave("engine", "Publishing is paused: nothing is sent.", "Run `engine resume`.")
        elif late is not None:
            yield grave("engine", f"What was due at {late:%Y-%m-%d %H:%M} UTC waits.", _STUCK)
        else:
            yield fine("engine", "not paused, and nothing is overdue")
        for hold in without_old(state.holds, self._clock()):
            name = FACTS[hold.whose.platform].name
            yield grave(f"application at {name}", describe_hold(hold), _SETTLE.format(name))

    def _address(self) -> Finding:
        subject = "GOLDENHOUR_PUBLIC_URL"
        if self._public_url is None:
            message = "This service has no public address: platforms that fetch files will fail."
            advice = "Set GOLDENHOUR_PUBLIC_URL to the service's public address."
            return warning(subject, message, advice)
        if not self._public_url.startswith("https://"):
            message = f"{self._public_url} is not https: platforms refuse to fetch from it."
            return warning(subject, message, "Put TLS in front and set an https:// address.")
        return fine(subject, self._public_url)
