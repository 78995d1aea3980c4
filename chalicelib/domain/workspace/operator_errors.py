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
    """There is no such workspace. `workspace list` shows those there are."""


class UnknownMemberError(OperatorError):
    """There is no such member. `member list` shows those of a workspace."""


class LastOwnerError(OperatorError):
    """A workspace needs an owner. Make somebody else an owner first."""


class UnknownKeyError(OperatorError):
    """There is no such key that works. `key list` shows those of a workspace."""


class UnknownAccountError(OperatorError):
    """There is no such connected account. `account list` shows those of a workspace."""


class TooManyKeysError(OperatorError):
    """The workspace has 50 live keys, the most there can be. Revoke one with `key revoke`."""


class AccountLimitError(OperatorError):
    """The workspace's plan covers no further account. Disconnect one or change the plan."""


class IdentityTakenError(OperatorError):
    """This account is connected to the workspace already. Use `account reconnect`."""


class OtherIdentityError(OperatorError):
    """That is another account of the platform. Sign in to the one that was connected before."""
