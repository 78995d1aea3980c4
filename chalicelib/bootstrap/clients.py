"""AWS clients, each made when it is first called: making one takes as long as many calls.

They are botocore's: boto3 would add imports and nothing that is used. On one machine they are the
embedded engine's.
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache, partial
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from botocore.config import Config
from botocore.loaders import Loader
from botocore.session import Session

from chalicelib.domain.clock import Clock, system_clock
from chalicelib.kit.aws_on_sqlite.address import is_embedded
from chalicelib.kit.dynamodb.throttling import listen
from chalicelib.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_kms import KMSClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_sesv2 import SESV2Client
    from mypy_boto3_sqs import SQSClient

SERVICES: Final = frozenset({"dynamodb", "kms", "s3", "sesv2", "sqs"})
"""The AWS services with a client; `infra/packaging/models` packages only their models."""
_CONNECTIONS = 160
"""As many a client keeps open: a batch makes a hundred calls at once, and each new connection
costs a handshake."""
_USER_AGENT = "goldenhour"
"""If it is given, botocore does not assemble one for each call."""
_CONNECT_S = 1
_READ_S = 4
"""A lease is renewed every 20 s: a call that hangs must end well within that."""
_QUICK_READ_S = 1.5


@cache
def _models() -> Loader:
    """Return botocore's service models, read once for all deployments of a process.

    They are those of all services: an operator's profile may sign in through `sso` or `sts`.
    """
    loader: Loader = Session().get_component("data_loader")
    return loader


def a_session() -> Session:
    """Return a botocore session, which makes clients."""
    session = Session()
    session.register_component("data_loader", _models())
    return session


def make_client(
    session: Session, service: str, region: str, *, url: str | None, config: Config | None = None
) -> object:
    """Return a client of AWS, or of the engine at `url`, such as the embedded one."""
    if url is not None and is_embedded(url):
        from chalicelib.kit.aws_on_sqlite.clients import embedded_client

        return embedded_client(service, url)
    if service == "s3":
        from chalicelib.storage.media.store import media_client_config

        config = media_client_config(url)
    client = session.create_client(service, region_name=region, endpoint_url=url, config=config)
    if service == "dynamodb":
        listen(client)
    return client


def clock_at(url: str | None) -> Clock:
    """Return the clock for stored times: the embedded engine's ignores changes of a minute."""
    if url is None or not is_embedded(url):
        return system_clock
    from chalicelib.kit.aws_on_sqlite.steady_clock import machine_clock

    return lambda: datetime.fromtimestamp(machine_clock(), UTC)


class MadeWhenCalled:
    """Makes a client when it is first used: making one reads a service's model."""

    def __init__(self, make: Callable[[], object], making: Lock) -> None:
        self._make = make
        self._making = making
        self._made: list[object] = []

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the client has
        if not self._made:
            with self._making:
                if not self._made:
                    self._made.append(self._make())
        found = getattr(self._made[0], name)
        setattr(self, name, found)  # later calls go straight to the client
        return found


class Clients:
    """The clients of one deployment, which threads may share.

    Each is made when it is first called, so that the Lambda function of one trigger does not pay
    for the clients of another.
    """

    def __init__(self, settings: Settings, session: Session | None = None) -> None:
        self._region, self.session = settings.region, session or a_session()
        self._making = Lock()
        tables_at, rest_at = settings.dynamodb_url, settings.endpoint_url
        ours = Config(connect_timeout=_CONNECT_S, user_agent=_USER_AGENT)
        patient = Config(
            max_pool_connections=_CONNECTIONS,
            read_timeout=_READ_S,
            retries={"mode": "standard"},
            parameter_validation=False,
        )
        quick = Config(
            read_timeout=_QUICK_READ_S, retries={"mode": "standard", "total_max_attempts": 2}
        )
        polls = Config(max_pool_connections=_CONNECTIONS)
        soon = Config(connect_timeout=_CONNECT_S, read_timeout=_READ_S)
        once = Config(retries={"total_max_attempts": 1})  # a repeat could mail a letter twice
        self.dynamodb: DynamoDBClient = self._client("dynamodb", tables_at, ours.merge(patient))
        self.quick_dynamodb: DynamoDBClient = self._client("dynamodb", tables_at, ours.merge(quick))
        """For checks that must know soon whether the tables answer."""
        self.sqs: SQSClient = self._client("sqs", rest_at, polls.merge(soon))
        self.polling_sqs: SQSClient = self._client("sqs", rest_at, polls)
        """For long polling: an answer takes as long as no message arrives."""
        self.s3: S3Client = self._client("s3", rest_at, None)
        self.kms: KMSClient = self._client("kms", rest_at, polls.merge(soon))
        self.ses: SESV2Client = self._client("sesv2", rest_at, soon.merge(once))

    def _client(self, service: str, url: str | None, config: Config | None) -> Any:  # noqa: ANN401
        make = partial(make_client, self.session, service, self._region, url=url, config=config)
        return MadeWhenCalled(make, self._making)
