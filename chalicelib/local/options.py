"""The options of `make run`, and the environment that the stack's processes get from them.

Standard library only, proxies included: the supervisor stays small.
"""

import os
from collections.abc import Mapping
from ipaddress import ip_address
from pathlib import Path

from chalicelib.kit.aws_on_sqlite.address import address_of
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.limits.machine_places import calls_here
from chalicelib.local.front.proxies import LOOPBACK, Network, WrongNetwork, networks
from chalicelib.local.variables import WrongVariable, require_variables
from chalicelib.settings import read_platform_settings

_REGION = "us-east-1"
_LOCALSTACK_PORT = 4566
# AWS's own variables that reach the stack: where tables are kept when not in the engine, and whose
# certificates to trust when LocalStack is reached by TLS.
_ASSISTANT_URL = "http://127.0.0.1:8765/mcp"
"""Where `goldenhour mcp --http` serves by default."""
_KEPT = ("AWS_ENDPOINT_URL_DYNAMODB", "AWS_CA_BUNDLE")


class WrongOptions(Exception):
    """The environment asks for something impossible; the message says what, in one sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Where the stack listens, where it keeps its state, and which AWS it talks to."""

    host: str
    port: int
    data_dir: Path
    public_url: str | None
    localstack_url: str | None
    synced: bool = False
    demo: bool = True
    serves: bool = False
    trusted_proxies: tuple[Network, ...] = ()

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "Options":
        """Read the options; raises WrongOptions.

        With `synced` (GOLDENHOUR_SYNC=full) a request is answered only when its writes survive a
        power cut; without `demo` (GOLDENHOUR_DEMO=off) no workspace and no key are made.
        """
        stack = environment.get("GOLDENHOUR_STACK") or environment.get("STACK") or "embedded"
        if stack not in ("embedded", "localstack"):
            raise WrongOptions(f"STACK is {stack!r}: only embedded and localstack exist")
        _require_variables(environment)
        _require_platform_settings(environment)
        return cls(
            host=environment.get("GOLDENHOUR_HOST") or "127.0.0.1",
            port=int(environment.get("GOLDENHOUR_PORT") or "8000"),
            data_dir=Path(environment.get("GOLDENHOUR_DATA_DIR") or ".local").absolute(),
            public_url=environment.get("GOLDENHOUR_PUBLIC_URL") or None,
            localstack_url=_localstack_url(environment) if stack == "localstack" else None,
            synced=environment.get("GOLDENHOUR_SYNC") == "full",
            demo=environment.get("GOLDENHOUR_DEMO") != "off",
            serves=environment.get("GOLDENHOUR_SERVES") == "yes",
            trusted_proxies=_trusted_proxies(environment),
        )

    @property
    def is_for_others(self) -> bool:
        """Tell whether others than this machine's user may reach the service."""
        return self.serves or self.is_exposed

    @property
    def is_exposed(self) -> bool:
        """Tell whether other machines reach the API without a proxy in front."""
        try:
            return not ip_address(self.host).is_loopback
        except ValueError:
            return self.host != "localhost"

    @property
    def base_url(self) -> str:
        """Where a client on this machine reaches the API."""
        return f"http://{self.own_host}:{self.port}"

    @property
    def own_host(self) -> str:
        """What a client on this machine names in an address."""
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)  # noqa: S104
        return f"[{host}]" if ":" in host else host

    def child_environment(self, outer: Mapping[str, str]) -> dict[str, str]:
        """Return the environment of the front and the trigger runner."""
        embedded = address_of(self.data_dir / "engine", synced=self.synced)
        endpoint = self.localstack_url or embedded
        region = outer.get("AWS_DEFAULT_REGION") or _REGION
        return {
            **{name: text for name, text in outer.items() if not name.startswith("AWS_")},
            **{name: outer[name] for name in _KEPT if name in outer},
            "GOLDENHOUR_STAGE": "local",
            "GOLDENHOUR_BASE_URL": self.base_url,
            "GOLDENHOUR_DATA_DIR": str(self.data_dir),
            "GOLDENHOUR_ASSISTANT_URL": outer.get("GOLDENHOUR_ASSISTANT_URL")
            or ("" if self.is_for_others else _ASSISTANT_URL),
            "AWS_ENDPOINT_URL": endpoint,
            "AWS_DEFAULT_REGION": region,
            "AWS_REGION": region,
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_EC2_METADATA_DISABLED": "true",
            # The front asks itself whether it answers; a proxy that the machine uses cannot.
            "no_proxy": _asked_directly(outer, self.own_host),
            # As many as Lambda would run at once; most of them only wait for their due second.
            "GOLDENHOUR_RECORD_THREADS": "128",
            "GOLDENHOUR_CALLS_AT_ONCE": outer.get("GOLDENHOUR_CALLS_AT_ONCE") or str(calls_here()),
            # Without a limit glibc keeps a memory arena for each of the many threads.
            "MALLOC_ARENA_MAX": "2",
        }


def _require_variables(environment: Mapping[str, str]) -> None:
    try:
        require_variables(environment)
    except WrongVariable as failure:
        raise WrongOptions(str(failure)) from failure


def _require_platform_settings(environment: Mapping[str, str]) -> None:
    """Refuse a platform's version or switch that its facts do not list."""
    named = read_platform_settings(environment)
    if not named:
        return
    from chalicelib.domain.platforms.facts import all_settings  # noqa: PLC0415 - seldom set

    for setting in all_settings():
        try:
            setting.require(named.get(setting.name, setting.default))
        except ValueError as failure:
            raise WrongOptions(str(failure)) from failure


def _trusted_proxies(environment: Mapping[str, str]) -> tuple[Network, ...]:
    try:
        return networks(environment.get("GOLDENHOUR_TRUSTED_PROXIES") or LOOPBACK)
    except WrongNetwork as failure:
        raise WrongOptions(str(failure)) from failure


def _asked_directly(environment: Mapping[str, str], host: str) -> str:
    """Return the hosts that are asked without a proxy: those named so already, and this machine."""
    named = environment.get("no_proxy") or environment.get("NO_PROXY")
    return ",".join(filter(None, (named, "localhost", "127.0.0.1", "[::1]", host)))


def _localstack_url(environment: Mapping[str, str]) -> str:
    """Return LocalStack's address as localstack-client computes it; a test compares both."""
    url = environment.get("AWS_ENDPOINT_URL", "").strip()
    host, _, port = environment.get("LOCALSTACK_HOST", "").partition(":")
    scheme = "https" if environment.get("USE_SSL") in ("1", "true") else "http"
    return url or f"{scheme}://{host.strip() or 'localhost'}:{port or _LOCALSTACK_PORT}"
