"""One request, answer, route map and pipeline, for the API and for the app.

Who may come in is each one's own: `api/http/key_gatekeeper`, `web/session_gatekeeper`. Knows no
resource and no page; everything here works on plain bytes and headers.
"""
