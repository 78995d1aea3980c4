"""The version of the service, as its command line and releases tell it.

The description's is its own (`api/openapi/document.py`), the client's its package's.
"""

from typing import Final

VERSION: Final = "0.2.0"

USER_AGENT: Final = f"goldenhour/{VERSION}"
"""The service's user agent in calls to others."""
