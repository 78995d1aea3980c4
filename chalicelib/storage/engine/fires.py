"""Claims at the second: one conditional write that is claim, `publishing`, doubt and fence.

It names exactly the version that was read; a write of ours that had gone through although its
answer was lost is known again by version and content. What changed since must not go out, nor what
has grown too old meanwhile: that is looked at right before every try.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from chalicelib.domain.posts.target import Target
from chalicelib.storage.dynamodb.failures import Retrying, is_refused
from chalicelib.storage.dynamodb.tables import Tables
from chalicelib.storage.dynamodb.transaction import unless_changed
from chalicelib.storage.engine.claims import TargetRef, is_kept, put_of

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class TooOldError(Exception):
    """What was to be fired is too far behind its second: read and arm it anew."""


class Fires:
    """The writes that claim targets at their second."""

    def __init__(
        self,
        client: "DynamoDBClient",
        tables: Tables,
        *,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self._client = client
        self._table = tables.posts
        self._retrying = Retrying(wait)

    def fire(self, ref: TargetRef, target: Target, is_fresh: Callable[[], bool]) -> Target | None:
        """Claim a target and keep its doubt in one write, on exactly the version that was read.

        Returns None when anything changed since, or when it was too old before a write.
        """
        saved = replace(target, version=target.version + 1)
        write = put_of(self._table, ref, saved, unless_changed(target.version))

        def put() -> None:
            if not is_fresh():
                raise TooOldError
            self._client.put_item(**write)

        try:
            self._retrying(put)
        except TooOldError:
            return None
        except ClientError as error:
            if not is_refused(error):
                raise
            return saved if is_kept(error, saved) else None
        return saved
