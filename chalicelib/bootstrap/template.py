"""The template that is deployed, with the names that a deployment's settings give.

The local stack makes its resources from it, and the doctor compares what is there with it.
"""

from pathlib import Path
from typing import Final

from chalicelib.kit.aws_on_sqlite.resources import Template
from chalicelib.settings import Settings

TEMPLATE: Final = Path(__file__).parents[2] / "infra" / "resources.json"


def template_of(settings: Settings) -> Template:
    """Return the template of a deployment."""
    names = {"ResourcePrefix": settings.resource_prefix, "MediaBucketName": settings.media_bucket}
    return Template(TEMPLATE.read_text(encoding="utf-8"), names)
