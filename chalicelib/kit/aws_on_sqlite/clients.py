"""The clients of an engine, by the names of their AWS services."""

from chalicelib.kit.aws_on_sqlite.base_client import EmbeddedClient
from chalicelib.kit.aws_on_sqlite.engine import open_engine


def embedded_client(service: str, address: str) -> EmbeddedClient:
    """Return a client of a service; each imports only its own modules."""
    engine = open_engine(address)
    match service:
        case "dynamodb":
            from chalicelib.kit.aws_on_sqlite.tables.client import EmbeddedDynamoDB  # noqa: PLC0415

            return EmbeddedDynamoDB(engine)
        case "sqs":
            from chalicelib.kit.aws_on_sqlite.queues import EmbeddedSqs  # noqa: PLC0415

            return EmbeddedSqs(engine)
        case "s3":
            from chalicelib.kit.aws_on_sqlite.objects import EmbeddedS3  # noqa: PLC0415

            return EmbeddedS3(engine)
        case "kms":
            from chalicelib.kit.aws_on_sqlite.keys import EmbeddedKms  # noqa: PLC0415

            return EmbeddedKms(engine)
    raise ValueError(f"{service} is not played on one machine.")
