"""The directory table's rows about people: their keys, and conversion to rows and back.

One partition per workspace; ended rows move to a prefix of their own, so that live ones are one
short query, however many have ended. A key's item is a partition of its own, found by the key's
hash. Rows that operators look up by id carry `id`, which puts them on the index `by_id`.

pk              sk                            what
WORKSPACES      <workspace id>                which workspaces there are
WORKSPACE#<id>  WORKSPACE                     the workspace; `version` guards all rows below
WORKSPACE#<id>  AWAY                          the same while a move keeps the workspace shut
WORKSPACE#<id>  MEMBER#<id>                   a member, removed ones too
WORKSPACE#<id>  KEY#<id>, REVOKED#<id>        a key as operators see it, and where its item is
WORKSPACE#<id>  ACCOUNT#<id>, GONE#<id>       a connected account, and one that was
WORKSPACE#<id>  TOKEN#<account id>            an account's encrypted tokens
WORKSPACE#<id>  IDENTITY#<platform>#<id>      which account a platform's identity is
WORKSPACE#<id>  SLOT#<id>                     a queue time
WORKSPACE#<id>  LABELS                        the workspace's labels; `version`
WORKSPACE#<id>  SERIES#<id>                   a post that comes again; `version`
WORKSPACE#<id>  WORDS#<id>                    a saved text, or an account's signature
WORKSPACE#<id>  CHOOSER#GROUP#<id>            a group of accounts
WORKSPACE#<id>  CHOOSER#TIMES                 how often each account was chosen
WORKSPACE#<id>  PICTURE                       what strangers with a link see beside its name
WORKSPACE#<id>  UNREAD#<member>#<comment>     a comment that a member has not settled; expires
WORKSPACE#<id>  NOTICE#<member>#<kind>        what a member was told by e-mail, and when
WORKSPACE#<id>  BROWSER#<member>#<sha256>     a browser in which a member is told
PUSH_KEY        PUSH_KEY                      what signs messages to browsers; half of it sealed
WORKSPACE#<id>  LINK#<sha256>                 a link to sign in, connect or review; expires
WORKSPACE#<id>  CODE#<sha256>                 what a member allowed an assistant; expires
PERSON#<id>, ADDRESS#<sha256>                 a person, whose an address is: `person_items`
FLOW#<sha256>   FLOW                          a sign-in at a platform under way; expires
CHALLENGE#<sha256>  CHALLENGE                 what a passkey has signed; expires
QUESTION_KEY    QUESTION_KEY                  what makes challenges of what browsers keep
APPLICATIONS    <platform>#<way>              a platform's application, sealed
KEY#<sha256>    KEY                           all that a key check needs

question                                  how                                      guard
who calls with this key                   get KEY#<sha256>                         consistent
accounts of a workspace, oldest first     query ACCOUNT#                           consistent
what a change must rewrite                get WORKSPACE, query KEY#, ACCOUNT#      version
all workspaces                            query WORKSPACES, then batch get         pages
who is signed in here                     batch get SESSION#, PERSON, MEMBER#, WORKSPACE  consistent
use a link once                           delete LINK#, returning it               atomic
use an authorization code once            update CODE#, returning what it was      atomic
what a member was told                    get NOTICE#                              consistent
browsers of a workspace, of a member      query BROWSER#                           consistent
links of a workspace                      query LINK#                              consistent
sessions, passkeys of a person            query SESSION#, PASSKEY#                 consistent
answer a challenge once                   put CHALLENGE# if absent                 condition
a passkey is no copy                      update, its count must grow              condition
where the thing with this id is           index by_id (id, sk)                     operators only
"""

from dataclasses import field
from typing import Final

from chalicelib.domain.times.queue_slots import QueueSlot
from chalicelib.domain.workspace.accounts import Account
from chalicelib.domain.workspace.grants import Grant
from chalicelib.domain.workspace.operator_errors import UnknownMemberError
from chalicelib.domain.workspace.workspaces import ApiKey, Member, Workspace
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.items import Item
from chalicelib.kit.dynamodb.records import Record
from chalicelib.storage.tables import Key, workspace_pk

BY_ID = "by_id"
WORKSPACES_PK = "WORKSPACES"
LIVE_KEYS = "KEY#"
REVOKED_KEYS = "REVOKED#"
ACCOUNTS = "ACCOUNT#"
GONE_ACCOUNTS = "GONE#"
MEMBERS = "MEMBER#"
LINKS = "LINK#"
BROWSERS = "BROWSER#"
APPLICATIONS_PK = "APPLICATIONS"
OWN_APPLICATION = "APPLICATION#"
PROFILE = "PROFILE#"
PROFILES_READ_KEY: Key = {"pk": "PROFILES", "sk": "READ"}
NOTICE_ROUND_KEY: Key = {"pk": "NOTICES", "sk": "ROUND"}
_PK_PREFIX = len("WORKSPACE#")


def workspace_key(workspace_id: str) -> Key:
    """Key of a workspace's own row."""
    return {"pk": workspace_pk(workspace_id), "sk": "WORKSPACE"}


def away_key(workspace_id: str) -> Key:
    """Key of a workspace's own row while it is shut: no request finds the workspace then."""
    return {"pk": workspace_pk(workspace_id), "sk": "AWAY"}


def listed_workspace_key(workspace_id: str) -> Key:
    """Key of the row that puts a workspace on the list of all."""
    return {"pk": WORKSPACES_PK, "sk": workspace_id}


def member_key(workspace_id: str, member_id: str) -> Key:
    """Key of a member."""
    return {"pk": workspace_pk(workspace_id), "sk": f"{MEMBERS}{member_id}"}


def live_key_key(workspace_id: str, key_id: str) -> Key:
    """Key of the operators' row of a key that works."""
    return {"pk": workspace_pk(workspace_id), "sk": f"{LIVE_KEYS}{key_id}"}


def revoked_key_key(workspace_id: str, key_id: str) -> Key:
    """Key of the operators' row of a key that was revoked."""
    return {"pk": workspace_pk(workspace_id), "sk": f"{REVOKED_KEYS}{key_id}"}


def account_key(workspace_id: str, account_id: str) -> Key:
    """Key of a connected account."""
    return {"pk": workspace_pk(workspace_id), "sk": f"{ACCOUNTS}{account_id}"}


def gone_account_key(workspace_id: str, account_id: str) -> Key:
    """Key of the record that an account was once connected."""
    return {"pk": workspace_pk(workspace_id), "sk": f"{GONE_ACCOUNTS}{account_id}"}


def token_key(workspace_id: str, account_id: str) -> Key:
    """Key of an account's encrypted tokens."""
    return {"pk": workspace_pk(workspace_id), "sk": f"TOKEN#{account_id}"}


def identity_key(workspace_id: str, platform: str, remote_identity: str) -> Key:
    """Key of the row that keeps a platform's identity from being connected twice."""
    return {"pk": workspace_pk(workspace_id), "sk": f"IDENTITY#{platform}#{remote_identity}"}


def profile_key(workspace_id: str, account_id: str) -> Key:
    """Key of an account's profile on its platform."""
    return {"pk": workspace_pk(workspace_id), "sk": f"{PROFILE}{account_id}"}


def picture_key(workspace_id: str) -> Key:
    """Key of the workspace's own picture."""
    return {"pk": workspace_pk(workspace_id), "sk": "PICTURE"}


def slot_key(workspace_id: str, slot_id: str) -> Key:
    """Key of a queue time."""
    return {"pk": workspace_pk(workspace_id), "sk": f"SLOT#{slot_id}"}


def link_key(workspace_id: str, link_hash: str) -> Key:
    """Key of a link."""
    return {"pk": workspace_pk(workspace_id), "sk": f"{LINKS}{link_hash}"}


def challenge_key(challenge_hash: str) -> Key:
    """Key of a challenge that a browser answered."""
    return {"pk": f"CHALLENGE#{challenge_hash}", "sk": "CHALLENGE"}


def code_key(workspace_id: str, code_hash: str) -> Key:
    """Key of an assistant's authorization code."""
    return {"pk": workspace_pk(workspace_id), "sk": f"CODE#{code_hash}"}


def flow_key(state_hash: str) -> Key:
    """Key of a sign-in at a platform that is under way."""
    return {"pk": f"FLOW#{state_hash}", "sk": "FLOW"}


def application_key(platform: str, method: str | None) -> Key:
    """Key of a platform's application, or of the one for a sign-in method."""
    return {"pk": APPLICATIONS_PK, "sk": f"{platform}#{method or ''}"}


def own_application_key(workspace_id: str, platform: str, method: str | None) -> Key:
    """Key of a workspace's own application at a platform, or for a sign-in method."""
    return {"pk": workspace_pk(workspace_id), "sk": f"{OWN_APPLICATION}{platform}#{method or ''}"}


def notice_key(workspace_id: str, member_id: str, kind: str) -> Key:
    """Key of a member's last notice of one kind."""
    return {"pk": workspace_pk(workspace_id), "sk": f"NOTICE#{member_id}#{kind}"}


def browser_key(workspace_id: str, member_id: str, browser_id: str) -> Key:
    """Key of a browser in which a member gets notices."""
    return {"pk": workspace_pk(workspace_id), "sk": f"{browsers_of(member_id)}{browser_id}"}


def browsers_of(member_id: str | None) -> str:
    """Return the prefix of the keys of a member's browsers, or of all browsers."""
    return BROWSERS if member_id is None else f"{BROWSERS}{member_id}#"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredKey:
    """A key and the hash by which its item is found; `grant` is an assistant's."""

    key: ApiKey
    hash: str = field(repr=False)
    grant: Grant | None = None


def workspace_of(row: Item) -> str:
    """Return the workspace a row of its partition belongs to."""
    return str(row["pk"])[_PK_PREFIX:]


_WORKSPACE: Final = Record(Workspace, apart=("id",))
_MEMBER: Final = Record(Member, apart=("workspace_id",))
_KEY: Final = Record(ApiKey, apart=("workspace_id", "last_used_at"))
_GRANT: Final = Record(Grant, apart=("client_hash",), prefix="grant_")
_ACCOUNT: Final = Record(Account, apart=("workspace_id",))
_SLOT: Final = Record(QueueSlot, apart=("id",))


def workspace_item(workspace: Workspace) -> Item:
    """Return a workspace's own row."""
    return {**workspace_key(workspace.id), **_WORKSPACE.item(workspace)}


def workspace_from(row: Item) -> Workspace:
    """Read a workspace's own row."""
    return _WORKSPACE.value(row, id=workspace_of(row))


def member_item(member: Member) -> Item:
    """Return a member's row."""
    return {**member_key(member.workspace_id, member.id), **_MEMBER.item(member)}


def member_from(row: Item) -> Member:
    """Read a member's row."""
    return _MEMBER.value(row, workspace_id=workspace_of(row))


def stored_key_item(stored: StoredKey) -> Item:
    """Return the operators' row of a key."""
    key = stored.key
    grant = {} if stored.grant is None else _GRANT.item(stored.grant)
    place = live_key_key(key.workspace_id, key.id)
    return {**place, **_KEY.item(key), **grant, "hash": stored.hash}


def stored_key_from(row: Item) -> StoredKey:
    """Read the operators' row of a key; the time of its last use is on its item."""
    key = _KEY.value(row, workspace_id=workspace_of(row))
    is_grant = key.client_hash is not None and _GRANT.is_in(row)
    grant = _GRANT.value(row, client_hash=key.client_hash) if is_grant else None
    return StoredKey(key=key, hash=row["hash"], grant=grant)


def account_item(account: Account) -> Item:
    """Return an account's row; its tokens are on a row of their own."""
    return {**account_key(account.workspace_id, account.id), **_ACCOUNT.item(account)}


def account_from(row: Item) -> Account:
    """Read an account's row."""
    return _ACCOUNT.value(row, workspace_id=workspace_of(row))


def require_member(row: Item | None) -> Member:
    """Return the member of a row. Raises UnknownMemberError for a removed one or none."""
    if row is None or "removed_at" in row:
        raise UnknownMemberError
    return member_from(row)


def slot_item(workspace_id: str, slot: QueueSlot) -> Item:
    """Return a queue time's row."""
    return {**slot_key(workspace_id, slot.id), **_SLOT.item(slot)}


def slot_from(row: Item) -> QueueSlot:
    """Read a queue time's row."""
    return _SLOT.value(row, id=str(row["sk"]).partition("#")[2])
