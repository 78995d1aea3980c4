"""Everything that differs between two deployments, read from the environment once.

`bootstrap` and `app.py` read it; nothing else looks at the environment.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import field

from chalicelib.kit.dataclass import dataclass

ORIGIN_SECRETS = ("GOLDENHOUR_ORIGIN_SECRET", "GOLDENHOUR_SECOND_ORIGIN_SECRET")
LOCAL = "local"
_PLATFORM_URL = re.compile(r"GOLDENHOUR_(?!PUBLIC_|BASE_|PULL_|SMTP_|ASSISTANT_)([A-Z0-9_]+)_URL")
_PLATFORM_SETTING = re.compile(r"GOLDENHOUR_([A-Z0-9_]+_(?:VERSION|METRICS|AUDIT))")


def own_command() -> str:
    """Return what a person types before an operator's command: a wheel has a name for it."""
    return os.environ.get("GOLDENHOUR_COMMAND") or ".venv/bin/python -m chalicelib"


def starting_command(environment: Mapping[str, str] = os.environ) -> str:
    """Return what a person types to start the service on this machine."""
    named = environment.get("GOLDENHOUR_COMMAND")
    return f"{named} run" if named else "make run"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Names of the resources and addresses of one deployment."""

    stage: str
    resource_prefix: str
    media_bucket: str
    region: str
    endpoint_url: str | None
    dynamodb_url: str | None
    base_url: str
    public_url: str | None
    pull_url: str | None
    data_dir: str | None
    record_threads: int
    calls_at_once: int = 0
    platform_urls: Mapping[str, str] = field(default_factory=dict)
    platform_versions: Mapping[str, str] = field(default_factory=dict)
    trusted_origins: frozenset[str] = frozenset()
    cors_origins: frozenset[str] = frozenset()
    link_url: str | None = None
    origin_secrets: tuple[str, ...] = field(default=(), repr=False)
    smtp_url: str | None = field(default=None, repr=False)
    notices_sender: str | None = None
    """Whom letters to members come from where SES mails them."""
    metrics_port: int | None = None
    otlp_endpoint: str | None = None
    """Where an OpenTelemetry collector takes traces and figures of one server."""
    assistant_url: str | None = None
    handler: str | None = None
    """The function of `app.py` that Lambda calls in this process; None anywhere else."""
    workspace_rate: int = 0
    """How many requests a second one workspace may send; 0 where nobody counts."""
    canary_workspace: str | None = None
    """Whose test account posts once a minute (`workers/canary.py`); None where nobody does."""
    retries_apart: bool = True
    """Whether what is tried again has a queue of its own: not where places are too few."""
    is_chalice_command: bool = False
    """Whether a command of `chalice` imports the app."""
    publish_places: int = 0
    """Batches of `publish` that Lambda may have in work at once; 0 where they begin at once."""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "Settings":
        """Read the settings; every one has a default that fits the local stack."""
        stage = environment.get("GOLDENHOUR_STAGE", LOCAL)
        prefix = environment.get("GOLDENHOUR_RESOURCE_PREFIX", "goldenhour-local")
        public_url = environment.get("GOLDENHOUR_PUBLIC_URL", "").rstrip("/") or None
        return cls(
            stage=stage,
            resource_prefix=prefix,
            media_bucket=environment.get("GOLDENHOUR_MEDIA_BUCKET", f"{prefix}-media"),
            region=region_named(environment) or "us-east-1",
            endpoint_url=environment.get("AWS_ENDPOINT_URL") or None,
            dynamodb_url=_dynamodb_url(environment),
            base_url=environment.get("GOLDENHOUR_BASE_URL", public_url or "http://127.0.0.1:8000"),
            public_url=public_url,
            pull_url=_pull_url(environment, stage, public_url),
            data_dir=environment.get("GOLDENHOUR_DATA_DIR") or None,
            record_threads=int(environment.get("GOLDENHOUR_RECORD_THREADS", "64")),
            calls_at_once=int(environment.get("GOLDENHOUR_CALLS_AT_ONCE") or 0),
            platform_urls=_platform_urls(environment),
            platform_versions=read_platform_settings(environment),
            trusted_origins=_trusted_origins(environment, stage),
            cors_origins=_split_origins(environment.get("GOLDENHOUR_CORS_ORIGINS", "")),
            origin_secrets=tuple(filter(None, map(environment.get, ORIGIN_SECRETS))),
            smtp_url=environment.get("GOLDENHOUR_SMTP_URL") or None,
            notices_sender=_notices_sender(environment),
            metrics_port=int(environment.get("GOLDENHOUR_METRICS_PORT") or 0) or None,
            otlp_endpoint=environment.get("GOLDENHOUR_OTLP_ENDPOINT") or None,
            assistant_url=environment.get("GOLDENHOUR_ASSISTANT_URL", "").rstrip("/") or None,
            handler=environment.get("_HANDLER", "").removeprefix("app.") or None,
            workspace_rate=int(environment.get("GOLDENHOUR_WORKSPACE_RATE") or 0),
            canary_workspace=environment.get("GOLDENHOUR_CANARY") or None,
            retries_apart=environment.get("GOLDENHOUR_RETRIES_APART") != "no",
            is_chalice_command="AWS_CHALICE_CLI_MODE" in environment,
            publish_places=int(environment.get("GOLDENHOUR_PUBLISH_PLACES") or 0),
            link_url=public_url or environment.get("GOLDENHOUR_BASE_URL") or None,
        )

    @property
    def is_one_machine(self) -> bool:
        """Tell whether this is the local stack, whose storage only its own front reaches."""
        return self.stage == LOCAL and self.data_dir is not None

    @property
    def identity(self) -> str:
        """Name this deployment as no other is named, for people too."""
        if self.is_one_machine:
            return str(self.data_dir)
        return f"stage {self.stage} ({self.region}, {self.resource_prefix})"

    @property
    def mails(self) -> bool:
        """Tell whether letters to members go out."""
        return self.smtp_url is not None or self.notices_sender is not None

    @property
    def outer_url(self) -> str:
        """Where people reach the service: the public address, or this machine's own."""
        return self.public_url or self.base_url

    @property
    def own_door(self) -> str | None:
        """What stands before the paths of our own door, if files go through it for everybody.

        The storage of a service on one machine has no address that another machine could reach.
        Without a public address they stay paths: whoever answers a request knows where it came to.
        """
        return (self.public_url or "") if self.is_one_machine else None

    @property
    def posts_table(self) -> str:
        """Posts, their targets, events and attempts."""
        return f"{self.resource_prefix}-posts"

    @property
    def directory_table(self) -> str:
        """Workspaces, members, keys, accounts, queue slots and counters."""
        return f"{self.resource_prefix}-directory"

    @property
    def media_table(self) -> str:
        """Records of uploaded files and which posts use them."""
        return f"{self.resource_prefix}-media"

    @property
    def sandbox_table(self) -> str:
        """What the sandbox platform received; a deployed stage only."""
        return f"{self.resource_prefix}-sandbox"

    @property
    def publish_queue(self) -> str:
        """Wake messages that a target is about to be due."""
        return f"{self.resource_prefix}-publish"

    @property
    def prepare_queue(self) -> str:
        """Wake messages for everything that is not a first visible call at its second."""
        return f"{self.resource_prefix}-prepare"

    @property
    def retries_queue(self) -> str:
        """Wake messages for what is tried again, or looked for."""
        return f"{self.resource_prefix}-retries"

    @property
    def convert_queue(self) -> str:
        """Messages that a copy of a file is wanted."""
        return f"{self.resource_prefix}-convert"

    @property
    def publish_dead_queue(self) -> str:
        """Wake messages that could not be worked off."""
        return f"{self.resource_prefix}-publish-dead"

    @property
    def uploads_queue(self) -> str:
        """S3 events of finished direct uploads."""
        return f"{self.resource_prefix}-uploads"

    @property
    def tokens_key(self) -> str:
        """Alias of the KMS key that wraps the accounts' tokens."""
        return f"alias/{self.resource_prefix}-tokens"


def _dynamodb_url(environment: Mapping[str, str]) -> str | None:
    """Return where DynamoDB answers: an engine of its own, or the same as everything else."""
    own = environment.get("AWS_ENDPOINT_URL_DYNAMODB")
    return own or environment.get("AWS_ENDPOINT_URL") or None


def _pull_url(environment: Mapping[str, str], stage: str, public_url: str | None) -> str | None:
    """Return where platforms fetch files, without a slash at the end.

    A local stack serves them wherever the world reaches it. A stage needs to be told: API Gateway
    cannot answer with large files, only the front can.
    """
    is_local = stage == LOCAL and (public_url or "").startswith("https://")
    url = environment.get("GOLDENHOUR_PULL_URL") or (public_url if is_local else None)
    return url.rstrip("/") if url else None


def _notices_sender(environment: Mapping[str, str]) -> str | None:
    """Return whom SES mails notices for: on a stage alone, one machine has no SES."""
    is_stage = not environment.get("GOLDENHOUR_DATA_DIR")
    return (environment.get("GOLDENHOUR_NOTICES_SENDER") or None) if is_stage else None


def _platform_urls(environment: Mapping[str, str]) -> dict[str, str]:
    """Read where platforms answer: GOLDENHOUR_BLUESKY_VIDEO_URL names the host `bluesky_video`."""
    found = ((_PLATFORM_URL.fullmatch(name), text) for name, text in environment.items())
    return {match[1].lower(): text for match, text in found if match and text}


def read_platform_settings(environment: Mapping[str, str]) -> dict[str, str]:
    """Read what is set of platforms: versions of their APIs, and switches, as they were written."""
    found = ((_PLATFORM_SETTING.fullmatch(name), text) for name, text in environment.items())
    return {match[1].lower(): text for match, text in found if match and text}


def _trusted_origins(environment: Mapping[str, str], stage: str) -> frozenset[str]:
    """Return the origins of a local stack that strangers' addresses may name though not public.

    Like `http://127.0.0.1:2583`, with commas between them. A deployed stage has none.
    """
    named = environment.get("GOLDENHOUR_TRUSTED_ORIGINS", "") if stage == LOCAL else ""
    return _split_origins(named)


def region_named(environment: Mapping[str, str]) -> str | None:
    """Return the region of AWS that the environment names; a profile may name another."""
    return environment.get("AWS_REGION") or environment.get("AWS_DEFAULT_REGION") or None


def _split_origins(named: str) -> frozenset[str]:
    """Read origins with commas between them."""
    origins = (origin.strip().lower().rstrip("/") for origin in named.split(","))
    return frozenset(origin for origin in origins if origin)
