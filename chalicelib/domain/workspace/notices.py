"""Notices to members by e-mail and in browsers: their kinds, and the text of an e-mail.

`services/operator/matters` finds the events. A member gets at most one e-mail of a kind per hour;
later events are in the next one.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import field
from datetime import datetime, time, timedelta
from enum import StrEnum
from hashlib import blake2b
from typing import Protocol
from unicodedata import normalize
from zoneinfo import ZoneInfo

from chalicelib.kit.dataclass import dataclass

AN_HOUR, HALF_A_DAY = timedelta(hours=1), timedelta(hours=12)
DIGEST_FROM, DIGEST_UNTIL = time(8), time(12)
_LOCAL = r'[^\s"(),:;<>@\[\\\]]+'
_LABEL = r"(?!-)[^\s!-,./:-@\[-`{-~]+(?<!-)"
_ADDRESS = re.compile(rf"(?!.*=\?){_LOCAL}@(?:{_LABEL}\.)+{_LABEL}")
"""RFC 5321's Dot-string and Domain, with RFC 6531's letters of every language, and dots anywhere as
some carriers gave them out: no quoted string, comment or encoded word (RFC 2047), which libraries
read in different ways."""
_LONGEST_ADDRESS = 254
MARK_BYTES = 8
_MOST_IN_A_LETTER = 100
"""The pages have the rest: mail servers refuse letters of some megabytes."""


class NoticeKind(StrEnum):
    """The kinds of notices that a member can choose."""

    FAILED = "failed"
    AT_RISK = "at-risk"
    REVIEW = "review"
    SIGN_IN = "sign-in"
    ENGINE = "engine"
    REMINDER = "reminder"
    COMMENT = "comment"
    DIGEST = "digest"

    @property
    def waits_an_hour(self) -> bool:
        """Tell whether one e-mail an hour is enough; a reminder is sent at its time."""
        return self is not NoticeKind.REMINDER


class Channel(StrEnum):
    """Where a member gets notices: on the bell's page, by e-mail, in browsers, in the digest."""

    BELL = "bell"
    MAIL = "mail"
    PUSH = "push"
    DIGEST = "digest"

    @property
    def kinds(self) -> frozenset[NoticeKind]:
        """Return its possible kinds; the bell and the digest list only what a member can act on."""
        every = frozenset(NoticeKind)
        if self in {Channel.BELL, Channel.DIGEST}:
            return every - {NoticeKind.ENGINE, NoticeKind.DIGEST}
        return every


@dataclass(frozen=True, slots=True, kw_only=True)
class Matter:
    """One event to notify of: its id, a sentence, and a link.

    `subject` is the title of an e-mail about this event alone, instead of its kind's; `only_for`
    names the members who get the notice, everybody if empty.
    """

    id: str
    sentence: str
    path: str
    subject: str | None = None
    only_for: frozenset[str] = frozenset()

    def concerns(self, member_id: str) -> bool:
        """Tell whether a member gets the notice."""
        return not self.only_for or member_id in self.only_for


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """Of which events of one kind a member was notified, by their `event_marks`, and when last."""

    at: datetime | None = None
    marks: frozenset[bytes] = field(default_factory=frozenset)

    def may_tell(self, now: datetime) -> bool:
        """Tell whether the last e-mail of the kind is at least an hour old."""
        return self.at is None or now - self.at >= AN_HOUR

    def new_of(self, matters: Collection[Matter]) -> list[Matter]:
        """Return the events of which the member was not notified yet."""
        return [matter for matter in matters if not self.knows(matter.id)]

    def knows(self, event_id: str) -> bool:
        """Tell whether the member was notified of an event."""
        return not self.marks.isdisjoint(event_marks({event_id}))


def event_marks(event_ids: Iterable[str]) -> frozenset[bytes]:
    """Return what is kept of events: 8 bytes each, as 1,000 posts can have 30,000 failures."""
    return frozenset(blake2b(one.encode(), digest_size=MARK_BYTES).digest() for one in event_ids)


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """An e-mail of plain text."""

    to: str
    subject: str
    text: str


class NotMailed(Exception):
    """An e-mail was not accepted; the message says by whom.

    Send none to its address for `rest`, and none at all where `is_for_all`.
    """

    def __init__(
        self, message: str, rest: timedelta = timedelta(), *, is_for_all: bool = False
    ) -> None:
        super().__init__(message)
        self.rest = rest
        self.is_for_all = is_for_all


class Mailer(Protocol):
    """Sends e-mail through a mail server or a mail service."""

    def send(self, letter: Letter) -> None:
        """Send an e-mail. Raises NotMailed."""
        ...


_SUBJECTS = {
    NoticeKind.FAILED: "Not posted",
    NoticeKind.AT_RISK: "At risk",
    NoticeKind.REVIEW: "Waiting for approval",
    NoticeKind.SIGN_IN: "Sign in again",
    NoticeKind.ENGINE: "Nothing is going out",
    NoticeKind.REMINDER: "Time to post",
    NoticeKind.COMMENT: "New comment",
    NoticeKind.DIGEST: "Today",
}
_ADVICE = {
    NoticeKind.FAILED: "Fix the problem described above, then press Retry.",
    NoticeKind.AT_RISK: "It still goes out if it can. Fix the problem described above before then.",
    NoticeKind.REVIEW: "It does not go out before somebody approves it.",
    NoticeKind.SIGN_IN: "Until then, nothing is posted to this account.",
    NoticeKind.ENGINE: "Run the command `doctor` where the service runs: it says what to do.",
    NoticeKind.REMINDER: "On the Free plan you post it yourself. Then press “I posted it”.",
    NoticeKind.COMMENT: "Reply or resolve it on the post's page.",
    NoticeKind.DIGEST: "This comes once a day. Settings, Notices turns it off.",
}


def letter(
    kind: NoticeKind, matters: Sequence[Matter], *, to: str, workspace: str, url: str
) -> Letter:
    """Return the e-mail about some events of one kind."""
    told = _some([f"{matter.sentence}\n{url}{matter.path}" for matter in matters])
    rule = " At most one message of this kind an hour." if kind.waits_an_hour else ""
    end = f"Workspace {workspace}.{rule}"
    return Letter(
        to=to,
        subject=f"{title_of(kind, matters)}: {workspace}",
        text=f"{told}\n\n{_ADVICE[kind]}\n\n-- \n{end}\n",
    )


def _some(told: Sequence[str]) -> str:
    """Return the first of what is told, and how many more there are."""
    more = len(told) - _MOST_IN_A_LETTER
    shown = told[:_MOST_IN_A_LETTER]
    return "\n\n".join([*shown, f"And {more:,} more."] if more > 0 else shown)


def title_of(kind: NoticeKind, matters: Sequence[Matter]) -> str:
    """Return the title for some events of one kind, with their number if there are several."""
    subjects = {matter.subject or _SUBJECTS[kind] for matter in matters}
    subject = subjects.pop() if len(subjects) == 1 else _SUBJECTS[kind]
    return f"{subject} ({len(matters)})" if len(matters) > 1 else subject


def is_digest_due(last: datetime | None, now: datetime, zone: ZoneInfo) -> bool:
    """Tell whether to send the daily digest: between 8 and 12 o'clock in the workspace's zone.

    After a change of the zone, there is none within half a day of the last one.
    """
    local = now.astimezone(zone)
    if not DIGEST_FROM <= local.time() < DIGEST_UNTIL:
        return False
    is_new_day = last is None or last.astimezone(zone).date() < local.date()
    return is_new_day and (last is None or now - last >= HALF_A_DAY)


def digest_letter(
    coming: Sequence[Matter], waiting: Sequence[Matter], *, to: str, workspace: str, url: str
) -> Letter:
    """Return the morning's e-mail: that day's posts, and what waits for its reader."""
    parts = [
        (f"Going out today: {len(coming)}", [one.sentence for one in coming]),
        (
            f"Waiting for you: {len(waiting)}",
            [f"{one.sentence}\n{url}{one.path}" for one in waiting],
        ),
    ]
    told = "\n\n".join(f"{head}\n\n{_some(lines)}".strip() for head, lines in parts)
    return Letter(
        to=to,
        subject=digest_title(coming, waiting, workspace),
        text=f"{told}\n\n{url}/app\n\n-- \n{_ADVICE[NoticeKind.DIGEST]}\n",
    )


def digest_title(coming: Sequence[Matter], waiting: Sequence[Matter], workspace: str) -> str:
    """Return the title of a morning's e-mail."""
    title = f"{_SUBJECTS[NoticeKind.DIGEST]}: {len(coming)} going out"
    if waiting:
        title += f", {len(waiting)} waiting for you"
    return f"{title}: {workspace}"


def proof_letter(*, to: str, member: str, workspace: str, link: str) -> Letter:
    """Return the e-mail whose link confirms that the address belongs to the member."""
    return Letter(
        to=to,
        subject=f"Notices to this address? {workspace}",
        text=(
            f"{member} of {workspace} asked for notices to be sent to this address. If that is you,"
            f" open this link and press its button; it works once, within a day:\n\n{link}\n\n"
            "If not, do nothing: nothing more is sent to you.\n"
        ),
    )


def export_letter(*, to: str, workspace: str, url: str, ends_at: datetime | None) -> Letter:
    """Return the e-mail that says that a requested export is ready, or was given up."""
    place = f"{url}/app/settings/data"
    if ends_at is None:
        return Letter(
            to=to,
            subject=f"The export could not be made: {workspace}",
            text=(
                f"The export of {workspace} that you asked for could not be made. Ask for it"
                f" again:\n\n{place}\n\nIf that fails too, whoever runs this service can make it"
                " with `workspace export`; the log says what is wrong.\n"
            ),
        )
    return Letter(
        to=to,
        subject=f"The export is ready: {workspace}",
        text=(
            f"The export of {workspace} that you asked for is ready. Owners can"
            f" download it here until {ends_at:%Y-%m-%d %H:%M} UTC:\n\n{place}\n\nIf you did not"
            f" ask for it, see in {url}/app/settings/activity who did.\n"
        ),
    )


def security_letter(sentences: Sequence[str], *, to: str, workspace: str, url: str) -> Letter:
    """Return the e-mail about a member's new passkeys, keys and sign-ins."""
    told = "\n\n".join(sentences)
    return Letter(
        to=to,
        subject=f"New sign-in, passkey or key: {workspace}",
        text=(
            f"{told}\n\nIf that was you, there is nothing to do. If not, end that browser, passkey"
            f" or key in {url}/app/settings and tell an owner of {workspace}.\n"
        ),
    )


def is_address(text: str) -> bool:
    """Tell whether a text can be an e-mail address."""
    is_bounded = len(text) <= _LONGEST_ADDRESS and text.isprintable()
    return is_bounded and _ADDRESS.fullmatch(text) is not None


def with_ascii_domain(address: str) -> str:
    """Return an address with its domain as DNS has it (RFC 5891, 4.4).

    Written otherwise, each server on the way must offer SMTPUTF8, which SES does not.
    """
    mailbox, at, domain = address.rpartition("@")
    return mailbox + at + ".".join(map(_ascii_label, domain.split(".")))


def _ascii_label(label: str) -> str:
    if label.isascii():
        return label
    return "xn--" + normalize("NFKC", label.lower()).encode("punycode").decode()
