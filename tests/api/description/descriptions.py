"""Where the description of today and that of the release before are."""

from tests.local.running_stack import PROJECT

DESCRIPTION = PROJECT / "docs" / "openapi.json"
RELEASED = PROJECT / "docs" / "openapi-released.json.gz"
