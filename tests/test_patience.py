"""How long a call of AWS may hang before it is given up."""

from typing import Any

import pytest

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.local.triggers.queue_poller import LONG_POLL_S
from chalicelib.settings import Settings


@pytest.fixture
def deployment(monkeypatch: pytest.MonkeyPatch) -> Deployment:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "none")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "none")
    return Deployment(Settings.from_environment({"AWS_REGION": "us-east-1"}))


@pytest.mark.parametrize("service", ["dynamodb", "kms", "sqs"])
def test_what_the_engine_asks_is_given_up_within_seconds(
    deployment: Deployment, service: str
) -> None:
    config: Any = getattr(deployment.clients, service).meta.config

    assert config.connect_timeout <= 2
    assert 1 <= config.read_timeout <= 4


def test_what_waits_for_messages_waits_longer_than_the_queue_does(deployment: Deployment) -> None:
    config: Any = deployment.clients.polling_sqs.meta.config

    assert config.read_timeout > LONG_POLL_S
