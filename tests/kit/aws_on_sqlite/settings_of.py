"""Settings of a deployment on an engine of a test's own."""

from chalicelib.settings import Settings
from tests.support.clients import REGION


def settings_of(address: str) -> Settings:
    """Return settings that name an engine's resources."""
    return Settings.from_environment({"AWS_ENDPOINT_URL": address, "AWS_DEFAULT_REGION": REGION})
