"""AWS clients, each made when it is first called: making one takes as long as many calls.

botocore makes them: boto3 would add imports and nothing that is used. On one machine the embedded
engine does.
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
"""Those that clients are made of; `infra/packaging/models` keeps their models alone."""
_CONNECTIONS = 160
"""Kept open by each client: a batch asks for a hundred at once, and a new one costs a handshake."""
_USER_AGENT = "goldenhour"
"""Given, botocore need not put one together for each call; nor need it check ours a second time."""
_CONNECT_S = 1
_READ_S = 4
"""A lease is renewed every 20 s: a call that hangs must end well within that."""
_QUICK_READ_S = 1.5


@cache
def _models() -> Loader:
    """Return the models as they were read: they are the same for every deployment of a process.

    Of all services that botocore brings: an operator's profile may sign in through `sso` or `sts`.
    """
    loader: Loader = Session().get_component("data_loader")
    return loader


def a_session() -> Session:
    """Return what makes clients."""
    session = Session()
    session.register_component("data_loader", _models())
    return session


def make_client(
    session: Session, service: str, region: str, *, url: str | None, config: Config | None = None
) -> object:
    """Return a client of AWS, or of whatever plays it at an address: an engine of this machine."""
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
    """Return the clock for what is stamped: AWS's are right, this machine's may be set."""
    if url is None or not is_embedded(url):
        return system_clock
    from chalicelib.kit.aws_on_sqlite.steady_clock import machine_clock

    return lambda: datetime.fromtimestamp(machine_clock(), UTC)


class MadeWhenCalled:
    """Stands for a client until something is asked of it: making one reads a service's model."""

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
        setattr(self, name, found)  # asked once for each name: calls go straight to the client
        return found


class Clients:
    """The clients of one deployment; botocore's are safe to share between threads.

    One session makes every one, when it is first called, so that a function of one trigger does
    not pay for the clients of another.
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
        """Of what must know soon whether the tables answer."""
        self.sqs: SQSClient = self._client("sqs", rest_at, polls.merge(soon))
        self.polling_sqs: SQSClient = self._client("sqs", rest_at, polls)
        """Of what waits for messages: its answers take as long as none is there."""
        self.s3: S3Client = self._client("s3", rest_at, None)
        self.kms: KMSClient = self._client("kms", rest_at, polls.merge(soon))
        self.ses: SESV2Client = self._client("sesv2", rest_at, soon.merge(once))

    def _client(self, service: str, url: str | None, config: Config | None) -> Any:  # noqa: ANN401
        make = partial(make_client, self.session, service, self._region, url=url, config=config)
        return MadeWhenCalled(make, self._making)
