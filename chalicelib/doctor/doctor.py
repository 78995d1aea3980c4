"""The command `doctor`: is everything there that this deployment needs, and may it be used.

It looks at resources, permissions, the engine's switch, the accounts' sign-ins and the settings
that depend on the world outside; what it finds wrong comes with what to do.
"""

from collections.abc import Iterator, Sequence
from typing import Protocol

from chalicelib.doctor.examination import Finding, Verdict, fine, warning
from chalicelib.storage.engine.switch import EngineSwitch


class Checks(Protocol):
    """One kind of resource, ready to be looked at."""

    def run(self) -> Iterator[Finding]:
        """Look, and say what was found."""
        ...


class Doctor:
    """An examination of one deployment."""

    def __init__(
        self,
        *,
        checks: Sequence[Checks],
        sign_ins: Checks,
        switch: EngineSwitch,
        public_url: str | None,
    ) -> None:
        self._checks = checks
        self._sign_ins = sign_ins
        self._switch = switch
        self._public_url = public_url

    def examine(self) -> list[Finding]:
        """Look at everything; what stands in tables only where these are in order."""
        found = [finding for checks in self._checks for finding in checks.run()]
        if all(finding.verdict is not Verdict.WRONG for finding in found):
            found += [self._engine(), *self._sign_ins.run()]
        return [*found, self._address()]

    def _engine(self) -> Finding:
        if self._switch.read().paused:
            return warning("engine", "Nothing is sent: it is paused.", "Run `engine resume`.")
        return fine("engine", "not paused")

    def _address(self) -> Finding:
        subject = "GOLDENHOUR_PUBLIC_URL"
        if self._public_url is None:
            message = "The world cannot reach this service: platforms that fetch files will fail."
            advice = "Set GOLDENHOUR_PUBLIC_URL to where this service is reached from outside."
            return warning(subject, message, advice)
        if not self._public_url.startswith("https://"):
            message = f"{self._public_url} is not https: platforms refuse to fetch from it."
            return warning(subject, message, "Put TLS in front and set an https:// address.")
        return fine(subject, self._public_url)
