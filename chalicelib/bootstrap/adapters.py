"""What a deployment stands on: its settings, its clock and the AWS clients.

One session makes every client, each when it is first needed, so that a function of one trigger does
not pay for the clients of another.
"""

from __future__ import annotations

from functools import cached_property, partial
from threading import Lock
from typing import TYPE_CHECKING, cast

from botocore.config import Config
from botocore.session import Session

from chalicelib.bootstrap.clients import MadeWhenCalled, a_session, clock_at, make_client
from chalicelib.domain.clock import Clock, system_clock
from chalicelib.settings import Settings
from chalicelib.storage.tables import Tables

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_kms import KMSClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_sesv2 import SESV2Client
    from mypy_boto3_sqs import SQSClient

_CONNECTIONS = 160
"""Kept open by each client: a batch asks for a hundred at once, and a new one costs a handshake."""
_USER_AGENT = "goldenhour"
"""Given, botocore need not put one together for each call; nor need it check ours a second time."""
_CONNECT_S = 1
_READ_S = 4
"""A lease is renewed every 20 s: a call that hangs must end well within that."""
_QUICK_READ_S = 1.5


class Adapters:
    """Settings, clock and clients of one deployment."""

    def __init__(
        self,
        settings: Settings,
        *,
        clock: Clock | None = None,
        session: Session | None = None,
    ) -> None:
        """Make one; `wall` is the clock that people's seconds come by, `clock` what else tells."""
        self.settings = settings
        self.wall = clock or system_clock
        self.clock = clock or clock_at(settings.endpoint_url)
        self._session = session or a_session()
        self._making = Lock()
        self.tables = Tables(
            posts=settings.posts_table,
            directory=settings.directory_table,
            media=settings.media_table,
        )

    # Clients: botocore's are safe to share between threads, its session is not.

    @cached_property
    def dynamodb(self) -> DynamoDBClient:
        """The client of every table."""
        return self._dynamodb(
            Config(
                max_pool_connections=_CONNECTIONS,
                read_timeout=_READ_S,
                retries={"mode": "standard"},
                parameter_validation=False,
            )
        )

    @cached_property
    def quick_dynamodb(self) -> DynamoDBClient:
        """The client of what must know soon whether the tables answer."""
        return self._dynamodb(
            Config(
                read_timeout=_QUICK_READ_S,
                retries={"mode": "standard", "total_max_attempts": 2},
            )
        )

    @cached_property
    def sqs(self) -> SQSClient:
        """The client of the queues."""
        config = Config(
            max_pool_connections=_CONNECTIONS, connect_timeout=_CONNECT_S, read_timeout=_READ_S
        )
        return cast("SQSClient", self._client("sqs", config, self.settings.endpoint_url))

    @cached_property
    def polling_sqs(self) -> SQSClient:
        """The client of what waits for messages: its answers take as long as none is there."""
        config = Config(max_pool_connections=_CONNECTIONS)
        return cast("SQSClient", self._client("sqs", config, self.settings.endpoint_url))

    @cached_property
    def s3(self) -> S3Client:
        """The client of the media bucket."""
        from chalicelib.storage.media.store import media_client_config

        url = self.settings.endpoint_url
        return cast("S3Client", self._client("s3", media_client_config(url), url))

    @cached_property
    def kms(self) -> KMSClient:
        """The client of the key that wraps tokens."""
        config = Config(
            max_pool_connections=_CONNECTIONS, connect_timeout=_CONNECT_S, read_timeout=_READ_S
        )
        return cast("KMSClient", self._client("kms", config, self.settings.endpoint_url))

    @cached_property
    def ses(self) -> SESV2Client:
        """The client of what mails; a repeated call could mail a letter twice."""
        config = Config(
            connect_timeout=_CONNECT_S, read_timeout=_READ_S, retries={"total_max_attempts": 1}
        )
        return cast("SESV2Client", self._client("sesv2", config, self.settings.endpoint_url))

    def _dynamodb(self, patience: Config) -> DynamoDBClient:
        shared = Config(connect_timeout=_CONNECT_S, user_agent=_USER_AGENT)
        client = self._client("dynamodb", shared.merge(patience), self.settings.dynamodb_url)
        return cast("DynamoDBClient", client)

    def _client(self, service: str, config: Config | None, url: str | None) -> MadeWhenCalled:
        make = partial(
            make_client, self._session, service, self.settings.region, url=url, config=config
        )
        return MadeWhenCalled(make, self._making)
