"""The directory table's rows of persons, and keys of members' rows from before there were any.

pk              sk                            what
PERSON#<id>     PERSON                        a person: memberships, addresses, places
PERSON#<id>     SESSION#<sha256>              a signed-in browser; expires by itself
PERSON#<id>     PASSKEY#<sha256>              a person's passkey, by its credential id
ADDRESS#<sha256>  ADDRESS                     the person who proved an e-mail address
WORKSPACE#<id>  SESSION#<sha256>, PASSKEY#<member>#<sha256>  of before; `former_people` moves them
"""

from typing import Final

from chalicelib.domain.workspace.persons import Person
from chalicelib.kit.dynamodb.items import Item
from chalicelib.kit.dynamodb.records import Record
from chalicelib.storage.tables import Key, workspace_pk

SESSIONS = "SESSION#"
PASSKEYS = "PASSKEY#"


def person_pk(person_id: str) -> str:
    """Partition of a person."""
    return f"PERSON#{person_id}"


def person_key(person_id: str) -> Key:
    """Key of a person's own row."""
    return {"pk": person_pk(person_id), "sk": "PERSON"}


def address_key(address_hash: str) -> Key:
    """Key of the row that names the person of an e-mail address."""
    return {"pk": f"ADDRESS#{address_hash}", "sk": "ADDRESS"}


def session_key(person_id: str, session_hash: str) -> Key:
    """Key of a signed-in browser."""
    return {"pk": person_pk(person_id), "sk": f"{SESSIONS}{session_hash}"}


def former_session_key(workspace_id: str, session_hash: str) -> Key:
    """Key of a signed-in browser from before there were persons."""
    return {"pk": workspace_pk(workspace_id), "sk": f"{SESSIONS}{session_hash}"}


def passkey_key(person_id: str, passkey_hash: str) -> Key:
    """Key of a person's passkey."""
    return {"pk": person_pk(person_id), "sk": f"{PASSKEYS}{passkey_hash}"}


def former_passkeys_of(member_id: str) -> str:
    """Prefix of the keys of a member's passkeys from before there were persons."""
    return f"{PASSKEYS}{member_id}#"


def former_passkey_key(workspace_id: str, member_id: str, passkey_hash: str) -> Key:
    """Key of a passkey from before there were persons."""
    sk = f"{former_passkeys_of(member_id)}{passkey_hash}"
    return {"pk": workspace_pk(workspace_id), "sk": sk}


_PERSON: Final = Record(Person, apart=("id",))


def person_item(person: Person) -> Item:
    """Return a person's row."""
    return {**person_key(person.id), **_PERSON.item(person)}


def person_from(row: Item) -> Person:
    """Read a person's row."""
    return _PERSON.value(row, id=person_of(row))


def person_of(row: Item) -> str:
    """Return the person a row of its partition belongs to."""
    return str(row["pk"]).partition("#")[2]
