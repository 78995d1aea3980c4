"""Makes the resources of `infra/resources.json` in the embedded engine of some settings."""

from pathlib import Path

from chalicelib.embedded.engine import open_engine
from chalicelib.embedded.resources import Template, make_resources
from chalicelib.settings import Settings

TEMPLATE = Path(__file__).parents[2] / "infra" / "resources.json"


def make_embedded(settings: Settings, *, rows_expire: bool = True) -> None:
    """Make what is missing."""
    names = {"ResourcePrefix": settings.resource_prefix, "MediaBucketName": settings.media_bucket}
    template = Template(TEMPLATE.read_text(encoding="utf-8"), names)
    engine = open_engine(settings.endpoint_url or "")
    make_resources(engine, template, rows_expire=rows_expire)
