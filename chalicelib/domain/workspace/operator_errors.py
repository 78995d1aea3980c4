"""Refusals of operators' commands: one plain sentence each, never a status code.

`services/operator` and its repositories raise them, `cli` prints them and exits with 1. The
API never sees one; its refusals are in `errors.py`.
"""


class OperatorError(Exception):
    """The command cannot be carried out."""

    def __init__(self, message: str | None = None) -> None:
        self.message = message or (type(self).__doc__ or "").strip()
        super().__init__(self.message)


class UnknownWorkspaceError(OperatorError):
    """There is no such workspace. `workspace list` shows the existing ones."""


class UnknownMemberError(OperatorError):
    """There is no such member. `member list` shows those of a workspace."""


class LastOwnerError(OperatorError):
    """A workspace needs an owner. Make somebody else an owner first."""


class UnknownKeyError(OperatorError):
    """There is no such key that works. `key list` shows those of a workspace."""


class UnknownAccountError(OperatorError):
    """There is no such connected account. `account list` shows those of a workspace."""


class TooManyKeysError(OperatorError):
    """The workspace has 50 live keys, which is the limit. Revoke one with `key revoke`."""


class AccountLimitError(OperatorError):
    """The workspace's plan covers no more accounts. Disconnect one or change the plan."""


class IdentityTakenError(OperatorError):
    """This account is already connected to the workspace. Use `account reconnect`."""


class OtherIdentityError(OperatorError):
    """That is a different account. Sign in to the one that was connected before."""
