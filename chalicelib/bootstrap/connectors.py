"""The connectors of a deployment: those of the platforms, and the sandbox for test accounts."""

import atexit
from pathlib import Path
from typing import TYPE_CHECKING

from chalicelib.connectors.shared.registry import Connectors, real_connectors, require_settings
from chalicelib.domain.platforms.facts import MadeWhenMet

if TYPE_CHECKING:
    from collections.abc import Callable

    from mypy_boto3_dynamodb import DynamoDBClient

    from chalicelib.bootstrap.ground import Ground
    from chalicelib.connectors.connector import Connector
    from chalicelib.connectors.sandbox.connector import SandboxStore
    from chalicelib.domain.platforms.platform import Platform
    from chalicelib.settings import Settings
    from chalicelib.storage.sandbox import SandboxTable


def make_connectors(ground: "Ground", store: "Callable[[], SandboxStore]") -> Connectors:
    """Return the connectors of all platforms; each is imported when it is first used."""
    settings = ground.settings
    versions = require_settings(settings.platform_versions)
    addresses = {**settings.platform_urls, **versions}
    real = real_connectors(addresses, ground.clock, settings.trusted_origins)

    def sandbox(platform: "Platform") -> "Connector":
        from chalicelib.connectors.sandbox.connector import SandboxConnector

        url = settings.base_url
        return SandboxConnector(platform, store(), url, rules=real[platform])

    return Connectors(sandbox=MadeWhenMet(sandbox), real=real)


def open_sandbox(settings: "Settings", dynamodb: "DynamoDBClient") -> "SandboxTable":
    """Return the store of what test accounts published: a file on one machine, a table in AWS."""
    if settings.data_dir is not None:
        from chalicelib.storage.sandbox_here import SandboxHere

        here = SandboxHere(Path(settings.data_dir))
        atexit.register(here.close_at_exit)
        return here
    from chalicelib.storage.sandbox import SandboxTable

    return SandboxTable(dynamodb, settings.sandbox_table)
