"""Makes the resources of `infra/resources.json` in the embedded engine of some settings."""

from chalicelib.embedded.engine import open_engine
from chalicelib.embedded.resources import Template, make_resources
from chalicelib.local.own_tables import TEMPLATE, make_tables
from chalicelib.settings import Settings


def make_embedded(settings: Settings, *, rows_expire: bool = True) -> None:
    """Make what is missing, the tables in a DynamoDB of the operator's own if one is named."""
    names = {"ResourcePrefix": settings.resource_prefix, "MediaBucketName": settings.media_bucket}
    template = Template(TEMPLATE.read_text(encoding="utf-8"), names)
    engine = open_engine(settings.endpoint_url or "")
    make_resources(engine, template, rows_expire=rows_expire)
    if settings.dynamodb_url != settings.endpoint_url:
        _make_own_tables(settings)


def _make_own_tables(settings: Settings) -> None:
    # boto3 alone takes longer to import than the whole stack takes to start.
    import boto3  # noqa: PLC0415

    session = boto3.Session(region_name=settings.region)
    tables = session.client("dynamodb", endpoint_url=settings.dynamodb_url)
    make_tables(tables, TEMPLATE.read_text(encoding="utf-8"), settings.resource_prefix)
