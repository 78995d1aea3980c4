"""Every kind of stored row and object, and how it is exported, deleted, moved and restored.

Exporting, deleting and moving a workspace and restoring a backup follow this list: they would miss
a kind that is not on it, so a test compares it with every key that the code can make.
"""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from chalicelib.kit.dataclass import dataclass


class Store(StrEnum):
    """Where a kind is kept; an object's key is its `pk`."""

    POSTS = "posts"
    DIRECTORY = "directory"
    MEDIA = "media"
    SANDBOX = "sandbox"
    BUCKET = "bucket"


class Owner(StrEnum):
    """Who owns a kind: a person, the service, or else one workspace."""

    WORKSPACE = "workspace"
    MEMBER = "member"
    ACCOUNT = "account"
    PERSON = "person"
    POST = "post"
    FILE = "file"
    SERVICE = "service"


class Exported(StrEnum):
    """What a workspace's export contains of a kind."""

    WHOLE = "whole"
    WITHOUT_SECRETS = "without secrets"
    NOT = "not: made from other rows, passing, secret or the service's"


class Erased(StrEnum):
    """How a kind is erased when its workspace is deleted."""

    BY_PARTITION = "with all rows of the workspace's partition"
    BY_OWNER = "found through the post, file, account or key that it belongs to"
    BY_KEY = "under keys made from the workspace's id"
    WITH_PERSON = "with the person, who goes with the last membership"
    BY_ITSELF = "expires within days, without text or names"
    NEVER = "belongs to no workspace"


class Moved(StrEnum):
    """How a kind is treated when a workspace moves to another deployment."""

    AS_IT_IS = "as it is"
    SEALED_ANEW = "opened and sealed with the key of the other deployment"
    NOT = "not: made again, passing, or of this deployment"


class BackedUp(StrEnum):
    """Where a backup of one machine keeps a kind."""

    IN_FILE = "in the backup's file"
    IN_FILE_OR_BESIDE = "in the backup's file, or in the folder of media beside it"
    NOT = "not: it stands for a platform, which is outside the service"


@dataclass(frozen=True, slots=True, kw_only=True)
class RowKind:
    """A kind of row or object: the form of its key, and how it is treated."""

    store: Store
    pk: str
    sk: str = ""
    owner: Owner
    exported: Exported
    erased: Erased
    moved: Moved

    @property
    def backed_up(self) -> BackedUp:
        """Where a backup keeps it."""
        if self.store is Store.SANDBOX:
            return BackedUp.NOT
        return BackedUp.IN_FILE_OR_BESIDE if self.store is Store.BUCKET else BackedUp.IN_FILE

    def fits(self, store: Store, pk: str, sk: str = "") -> bool:
        """Tell whether a key is of this kind: `*` is any text, without a `#` except at the end."""
        return store is self.store and _fits(self.pk, pk) and _fits(self.sk, sk)


def _fits(pattern: str, text: str) -> bool:
    if pattern == "<id>":
        return re.fullmatch(r"[0-9a-f]{32}", text) is not None
    *parts, last = pattern.split("*")
    if not parts:
        return pattern == text
    between = "[^#]+".join(re.escape(part) for part in parts)
    end = ".*" if not last else "[^#]+" + re.escape(last)
    return re.fullmatch(between + end, text, re.DOTALL) is not None


_Fate = tuple[Owner, Exported, Erased, Moved]

_OF_POST: Final[_Fate] = (Owner.POST, Exported.WHOLE, Erased.BY_OWNER, Moved.AS_IT_IS)
_MARK_OF_POST: Final[_Fate] = (Owner.POST, Exported.NOT, Erased.BY_OWNER, Moved.AS_IT_IS)
_RESULT: Final[_Fate] = (Owner.WORKSPACE, Exported.WHOLE, Erased.BY_KEY, Moved.AS_IT_IS)
_OWN: Final[_Fate] = (Owner.WORKSPACE, Exported.WHOLE, Erased.BY_PARTITION, Moved.AS_IT_IS)
_MARK: Final[_Fate] = (Owner.WORKSPACE, Exported.NOT, Erased.BY_PARTITION, Moved.AS_IT_IS)
_KEPT_OF_ACCOUNT: Final[_Fate] = (
    Owner.ACCOUNT,
    Exported.WHOLE,
    Erased.BY_PARTITION,
    Moved.AS_IT_IS,
)
_SIGN_IN: Final[_Fate] = (Owner.MEMBER, Exported.NOT, Erased.BY_PARTITION, Moved.NOT)
_MEMBER: Final[_Fate] = (
    Owner.MEMBER,
    Exported.WITHOUT_SECRETS,
    Erased.BY_PARTITION,
    Moved.AS_IT_IS,
)
_OF_PERSON: Final[_Fate] = (Owner.PERSON, Exported.NOT, Erased.WITH_PERSON, Moved.NOT)
_SEALED: Final[_Fate] = (
    Owner.ACCOUNT,
    Exported.NOT,
    Erased.BY_PARTITION,
    Moved.SEALED_ANEW,
)
_PASSING: Final[_Fate] = (Owner.SERVICE, Exported.NOT, Erased.BY_ITSELF, Moved.NOT)
_LANE: Final[_Fate] = (Owner.WORKSPACE, Exported.NOT, Erased.BY_KEY, Moved.NOT)
_OF_FILE: Final[_Fate] = (Owner.FILE, Exported.WHOLE, Erased.BY_OWNER, Moved.AS_IT_IS)
_MADE_OF_FILE: Final[_Fate] = (Owner.FILE, Exported.NOT, Erased.BY_OWNER, Moved.NOT)
_SERVICE: Final[_Fate] = (Owner.SERVICE, Exported.NOT, Erased.NEVER, Moved.NOT)


def _kind(store: Store, pk: str, sk: str, fate: _Fate) -> RowKind:
    owner, exported, erased, moved = fate
    return RowKind(
        store=store,
        pk=pk,
        sk=sk,
        owner=owner,
        exported=exported,
        erased=erased,
        moved=moved,
    )


_HOME: Final = "WORKSPACE#*"

ROW_KINDS: Final[Mapping[str, RowKind]] = {
    "post": _kind(Store.POSTS, "<id>", "POST", _OF_POST),
    "target": _kind(Store.POSTS, "<id>", "TARGET#*", _OF_POST),
    "event": _kind(Store.POSTS, "<id>", "EVENT#*", _OF_POST),
    "attempt": _kind(Store.POSTS, "<id>", "ATTEMPT#*", _OF_POST),
    "labels of a post": _kind(Store.POSTS, "<id>", "LABELS", _OF_POST),
    "mark of a label on a post": _kind(Store.POSTS, "<id>", "LABEL#*", _MARK_OF_POST),
    "idempotency key": _kind(Store.POSTS, "IDEMPOTENCY#*#*", "KEY", _MARK_OF_POST),
    "live post": _kind(Store.POSTS, "REMOTE#*#*", "REMOTE", _MARK_OF_POST),
    "figures of a post": _kind(Store.POSTS, "RESULTS#*", "POST#*", _RESULT),
    "sum of a day": _kind(Store.POSTS, "RESULTS#*", "DAY#*", _RESULT),
    "what results taught": _kind(Store.POSTS, "RESULTS#*", "LEARNED", _RESULT),
    "mark of what is in no sum": _kind(
        Store.POSTS,
        "LIVE#*#*",
        "LIVE#*#*",
        (Owner.WORKSPACE, Exported.NOT, Erased.BY_KEY, Moved.AS_IT_IS),
    ),
    "workspace": _kind(Store.DIRECTORY, _HOME, "WORKSPACE", _OWN),
    "workspace that is shut": _kind(Store.DIRECTORY, _HOME, "AWAY", _OWN),
    "line in the list of workspaces": _kind(Store.DIRECTORY, "WORKSPACES", "*", _LANE),
    "member": _kind(Store.DIRECTORY, _HOME, "MEMBER#*", _MEMBER),
    "operators' row of a key": _kind(Store.DIRECTORY, _HOME, "KEY#*", _MEMBER),
    "revoked key": _kind(Store.DIRECTORY, _HOME, "REVOKED#*", _MEMBER),
    "account": _kind(Store.DIRECTORY, _HOME, "ACCOUNT#*", _KEPT_OF_ACCOUNT),
    "profile of an account": _kind(Store.DIRECTORY, _HOME, "PROFILE#*", _KEPT_OF_ACCOUNT),
    "account of before": _kind(Store.DIRECTORY, _HOME, "GONE#*", _KEPT_OF_ACCOUNT),
    "tokens": _kind(Store.DIRECTORY, _HOME, "TOKEN#*", _SEALED),
    "identity at a platform": _kind(Store.DIRECTORY, _HOME, "IDENTITY#*#*", _MARK),
    "queue time": _kind(Store.DIRECTORY, _HOME, "SLOT#*", _OWN),
    "labels": _kind(Store.DIRECTORY, _HOME, "LABELS", _OWN),
    "series": _kind(Store.DIRECTORY, _HOME, "SERIES#*", _OWN),
    "picture of a workspace": _kind(Store.DIRECTORY, _HOME, "PICTURE", _OWN),
    "saved text": _kind(Store.DIRECTORY, _HOME, "WORDS#*", _OWN),
    "group of accounts": _kind(Store.DIRECTORY, _HOME, "CHOOSER#GROUP#*", _OWN),
    "how often accounts were chosen": _kind(Store.DIRECTORY, _HOME, "CHOOSER#TIMES", _MARK),
    "unread comment": _kind(
        Store.DIRECTORY,
        _HOME,
        "UNREAD#*#*",
        (Owner.MEMBER, Exported.NOT, Erased.BY_PARTITION, Moved.AS_IT_IS),
    ),
    "plan": _kind(Store.DIRECTORY, _HOME, "PLAN#*", _OWN),
    "line of a plan": _kind(Store.DIRECTORY, _HOME, "PLANLINE#*#*", _OWN),
    "allowance counter": _kind(Store.DIRECTORY, _HOME, "USE#*", _OWN),
    "time taken": _kind(Store.DIRECTORY, _HOME, "TAKEN#*#*", _MARK),
    "queue time held": _kind(Store.DIRECTORY, _HOME, "QUEUED#*", _MARK),
    "session of before": _kind(Store.DIRECTORY, _HOME, "SESSION#*", _SIGN_IN),
    "passkey of before": _kind(Store.DIRECTORY, _HOME, "PASSKEY#*#*", _SIGN_IN),
    "link": _kind(
        Store.DIRECTORY,
        _HOME,
        "LINK#*",
        (Owner.MEMBER, Exported.NOT, Erased.BY_PARTITION, Moved.AS_IT_IS),
    ),
    "authorization code": _kind(Store.DIRECTORY, _HOME, "CODE#*", _SIGN_IN),
    "application of a workspace": _kind(
        Store.DIRECTORY,
        _HOME,
        "APPLICATION#*#*",
        (
            Owner.WORKSPACE,
            Exported.WITHOUT_SECRETS,
            Erased.BY_PARTITION,
            Moved.SEALED_ANEW,
        ),
    ),
    "browser that is told": _kind(Store.DIRECTORY, _HOME, "BROWSER#*#*", _SIGN_IN),
    "notice sent": _kind(Store.DIRECTORY, _HOME, "NOTICE#*#*", _MARK),
    "person": _kind(Store.DIRECTORY, "PERSON#*", "PERSON", _OF_PERSON),
    "session": _kind(Store.DIRECTORY, "PERSON#*", "SESSION#*", _OF_PERSON),
    "passkey": _kind(Store.DIRECTORY, "PERSON#*", "PASSKEY#*", _OF_PERSON),
    "address of a person": _kind(Store.DIRECTORY, "ADDRESS#*", "ADDRESS", _OF_PERSON),
    "key": _kind(
        Store.DIRECTORY,
        "KEY#*",
        "KEY",
        (Owner.MEMBER, Exported.NOT, Erased.BY_OWNER, Moved.AS_IT_IS),
    ),
    "sign-in under way": _kind(Store.DIRECTORY, "FLOW#*", "FLOW", _PASSING),
    "activity": _kind(Store.DIRECTORY, "ACTIVITY#*", "*", _RESULT),
    "what an idempotency key made": _kind(Store.DIRECTORY, "REPEAT#*#*#*", "REPEAT", _PASSING),
    "requests of a window": _kind(Store.DIRECTORY, "SHARE#*", "*", _PASSING),
    "challenge answered": _kind(Store.DIRECTORY, "CHALLENGE#*", "CHALLENGE", _PASSING),
    "tombstone": _kind(Store.DIRECTORY, "DELETED", "*", _SERVICE),
    "deletion under way": _kind(Store.DIRECTORY, "DELETIONS", "*", _PASSING),
    "export asked for": _kind(Store.DIRECTORY, "EXPORTS", "*", _LANE),
    "key of challenges": _kind(Store.DIRECTORY, "QUESTION_KEY", "QUESTION_KEY", _SERVICE),
    "key of messages to browsers": _kind(Store.DIRECTORY, "PUSH_KEY", "PUSH_KEY", _SERVICE),
    "application": _kind(Store.DIRECTORY, "APPLICATIONS", "*", _SERVICE),
    "mark of a move": _kind(Store.DIRECTORY, "MOVED#*", "MOVED", _SERVICE),
    "switch": _kind(Store.DIRECTORY, "ENGINE", "SWITCH", _SERVICE),
    "how far notices have come": _kind(Store.DIRECTORY, "NOTICES", "ROUND", _SERVICE),
    "when profiles were read": _kind(Store.DIRECTORY, "PROFILES", "READ", _SERVICE),
    "when series were gone through": _kind(Store.DIRECTORY, "SERIES", "READ", _SERVICE),
    "probe": _kind(Store.DIRECTORY, "ENGINE", "PROBE", _SERVICE),
    "tick": _kind(Store.DIRECTORY, "TICK", "TICK", _SERVICE),
    "pace of an account": _kind(
        Store.DIRECTORY,
        "PACE#*",
        "PACE",
        (Owner.ACCOUNT, Exported.NOT, Erased.BY_OWNER, Moved.NOT),
    ),
    "file": _kind(Store.MEDIA, "<id>", "MEDIA", _OF_FILE),
    "use of a file": _kind(Store.MEDIA, "<id>", "USE#*", _MARK_OF_POST),
    "bytes kept": _kind(
        Store.MEDIA,
        "STORAGE#*",
        "STORAGE",
        (Owner.WORKSPACE, Exported.NOT, Erased.BY_KEY, Moved.AS_IT_IS),
    ),
    "copy for platforms": _kind(Store.MEDIA, "COPY#*", "PREPARED#*", _MADE_OF_FILE),
    "place for a conversion": _kind(Store.MEDIA, "COPY#LANE#*", "PLACE#*", _LANE),
    "place for fetching": _kind(Store.MEDIA, "FETCH#LANE#*", "PLACE#*", _LANE),
    "address for platforms": _kind(Store.MEDIA, "PULL#*", "PULL", _PASSING),
    "sandbox post": _kind(Store.SANDBOX, "POST#*#*", "POST", _MARK_OF_POST),
    "sandbox post of a target": _kind(Store.SANDBOX, "TARGET#*#*", "*#*#*", _MARK_OF_POST),
    "sandbox counter": _kind(
        Store.SANDBOX,
        "COUNTER#*",
        "COUNTER",
        (Owner.POST, Exported.NOT, Erased.BY_OWNER, Moved.NOT),
    ),
    "file at the sandbox": _kind(Store.SANDBOX, "sandbox-files/*", "", _MARK_OF_POST),
    "object of a file": _kind(Store.BUCKET, "media/*", "", _OF_FILE),
    "object of an upload": _kind(Store.BUCKET, "incoming/*", "", _MADE_OF_FILE),
    "object of a copy": _kind(Store.BUCKET, "prepared/*", "", _MADE_OF_FILE),
    "part of an export": _kind(Store.BUCKET, "exports/*", "", _LANE),
}
