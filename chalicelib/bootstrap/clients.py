"""Makes AWS clients, each when it is first called: making one takes as long as many calls.

botocore makes them: boto3 would add imports and nothing that is used. On one machine the embedded
engine does. `adapters` says which there are and how patient they are.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from threading import Lock
from typing import Any, Final

from botocore.config import Config
from botocore.loaders import Loader
from botocore.session import Session

from chalicelib.domain.clock import Clock, system_clock
from chalicelib.kit.aws_on_sqlite.address import is_embedded

SERVICES: Final = frozenset({"dynamodb", "kms", "s3", "sesv2", "sqs"})
"""Those that clients are made of; `infra/packaging/models` keeps their models alone."""


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
    return session.create_client(service, region_name=region, endpoint_url=url, config=config)


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
