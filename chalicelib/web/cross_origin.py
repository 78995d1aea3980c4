"""CORS: the OAuth endpoints that web pages of any origin may call, since they need no cookie.

An assistant that runs in a web page reads the metadata, registers and fetches its tokens there
(RFC 8414, RFC 7591, OAuth 2.1 "Browser-based apps"). The page that asks the member is not included.
"""

from typing import Final

from chalicelib.http.routing import OAUTH_METADATA

CROSS_ORIGIN_PATHS: Final = frozenset(
    {OAUTH_METADATA, *(f"/app/oauth/{name}" for name in ("register", "token", "revoke"))}
)
CORS_HEADERS: Final = {"Access-Control-Allow-Origin": "*"}
PREFLIGHT_HEADERS: Final = {
    **CORS_HEADERS,
    "Access-Control-Allow-Methods": "GET, POST",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, MCP-Protocol-Version",
    "Access-Control-Max-Age": "7200",
}
