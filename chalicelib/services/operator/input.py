"""Checks of what an operator typed: ids, names and time zones.

`administration` and `connections` call them; each refusal is one sentence that says what to type.
"""

from chalicelib.domain.ids import is_id
from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.domain.workspace.workspaces import LONGEST_NAME, is_name, is_timezone
from chalicelib.storage.workspace.owner_index import OwnerIndex


def home(index: OwnerIndex, prefix: str, identifier: str, unknown: type[OperatorError]) -> str:
    """Return the workspace in which a member, key or account is, or raise `unknown`."""
    workspace_id = index.workspace_of(prefix, known(identifier, unknown))
    if workspace_id is None:
        raise unknown
    return workspace_id


def known(identifier: str, unknown: type[OperatorError]) -> str:
    """Return an id that has the form of one; anything else cannot be known."""
    if not is_id(identifier):
        raise unknown
    return identifier


def named(text: str) -> str:
    """Return a name that can be one. Raises OperatorError."""
    if not is_name(text):
        message = f"A name has 1 to {LONGEST_NAME} printable characters, no spaces at its ends."
        raise OperatorError(message)
    return text


def zoned(text: str) -> str:
    """Return the name of a time zone that there is. Raises OperatorError."""
    if not is_timezone(text):
        message = f'There is no time zone "{text}". Use a name such as Europe/Paris or UTC.'
        raise OperatorError(message)
    return text
