"""goldenhour: a client for the post scheduling API, the command `goldenhour`, an assistant server.

`Client` is where to begin. The names below are the public ones; everything else may change.
"""

from goldenhour.client import Client
from goldenhour.error_codes import BY_CODE, PlanLimit
from goldenhour.errors import (
    ApiError,
    Conflict,
    FileChanged,
    GoldenhourError,
    Invalid,
    KeyRefused,
    KeyReused,
    NoAnswer,
    NotFound,
    PlatformFailed,
    ServiceFailed,
    TooLarge,
    UnexpectedAnswer,
    WaitedTooLong,
)
from goldenhour.http.retrying import Retries
from goldenhour.models.answers import Target
from goldenhour.models.posts import NewTarget, Post, TargetChange

__all__ = [
    "BY_CODE",
    "ApiError",
    "Client",
    "Conflict",
    "FileChanged",
    "GoldenhourError",
    "Invalid",
    "KeyRefused",
    "KeyReused",
    "NewTarget",
    "NoAnswer",
    "NotFound",
    "PlanLimit",
    "PlatformFailed",
    "Post",
    "Retries",
    "ServiceFailed",
    "Target",
    "TargetChange",
    "TooLarge",
    "UnexpectedAnswer",
    "WaitedTooLong",
]
