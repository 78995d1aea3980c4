"""Facebook Login on loopback, as Pages and the Instagram accounts behind them sign in by it.

A person's code brings a token of hours, that one of 60 days, and that the tokens of Pages.
"""

from collections.abc import Mapping

from tests.connectors.shared.meta.graph_answers import (
    TOKEN_REFUSED,
    require,
    require_fields,
    require_token,
)
from tests.connectors.support.fake_platform import Received, Value, Wrong

PERSON = "EAA-person"
CODE = "AQB-code"
_LIFE_S = 5_183_944
_ASKED = (
    *("public_profile", "pages_show_list", "pages_read_engagement", "pages_manage_posts"),
    *("instagram_basic", "instagram_content_publish", "business_management"),
)


class FakeFacebookLogin:
    """One person; `lists` are the Pages by the pipeline that lists them, in pages of the list.

    `tokens` are those of the Page `page`, the newest last. `refusal` is what is said to whoever
    asks for the Page's token: by default it is given.
    """

    def __init__(
        self,
        client: tuple[str, str],
        page: str,
        tokens: list[str],
        lists: Mapping[str, list[list[Value]]],
    ) -> None:
        self.client = client
        self.page = page
        self.tokens = tokens
        self.lists = lists
        self.person_is_in = True
        self.refusal: Wrong | None = None
        self.gives_token = True
        self.granted: dict[str, Value] = {}
        self.declined: set[str] = set()
        self.tells_permissions = True

    def takes(self, call: Received, path: str) -> bool:
        """Tell whether a call belongs to signing in."""
        is_page_token = path == self.page and call.query == {"fields": "access_token"}
        is_granted = path in self.granted and call.query == {"fields": call.query.get("fields")}
        known = {"oauth/access_token", "me/businesses", "me/permissions", "debug_token"}
        return call.method == "GET" and (
            path in known or path in self.lists or is_page_token or is_granted
        )

    def answer(self, call: Received, path: str) -> Value:
        """Do what such a call asks."""
        if path == "oauth/access_token":
            return self._traded(call) if "code" in call.query else self._long_lived(call)
        if path == "debug_token":
            return self._debugged(call)
        if not self.person_is_in:
            raise Wrong(TOKEN_REFUSED)
        require_token(call, [PERSON])
        if path == "me/permissions":
            return self._permissions()
        if path in self.granted:
            return self.granted[path]
        return self._page_token() if path == self.page else self._listed(call, path)

    def _traded(self, call: Received) -> Value:
        require_fields(call.query, needed=("client_id", "client_secret", "redirect_uri", "code"))
        require((call.query["client_id"], call.query["client_secret"]) == self.client)
        require(call.query["code"] == CODE, "This authorization code has been used")
        return {"access_token": "fb-short", "token_type": "bearer", "expires_in": 5000}

    def _long_lived(self, call: Received) -> Value:
        fields = ("grant_type", "client_id", "client_secret", "fb_exchange_token")
        require_fields(call.query, needed=fields)
        require(call.query["grant_type"] == "fb_exchange_token")
        require((call.query["client_id"], call.query["client_secret"]) == self.client)
        require(call.query["fb_exchange_token"] == "fb-short")
        return {"access_token": PERSON, "token_type": "bearer", "expires_in": _LIFE_S}

    def _listed(self, call: Received, path: str) -> Value:
        require_fields(call.query, needed=("fields", "limit"), known=("after",))
        require(path in self.lists, "Missing permissions")
        place = int(call.query.get("after", "0"))
        shown = self.lists[path][place]
        if place + 1 == len(self.lists[path]):
            return {"data": shown, "paging": {"cursors": {"after": "end"}}}
        cursors = {"after": str(place + 1)}
        return {"data": shown, "paging": {"cursors": cursors, "next": "https://…"}}

    def _debugged(self, call: Received) -> Value:
        """Say what a token was given for, to the application that it was given to."""
        require_token(call, ["|".join(self.client)])
        require(call.query["input_token"] == PERSON)
        scopes = [
            {"scope": "pages_show_list", "target_ids": list(self.granted)},
            {"scope": "business_management"},
        ]
        return {"data": {"is_valid": True, "granular_scopes": scopes}}

    def _permissions(self) -> Value:
        require(self.tells_permissions, "Unsupported get request")
        stands = ((name, "declined" if name in self.declined else "granted") for name in _ASKED)
        return {"data": [{"permission": name, "status": status} for name, status in stands]}

    def _page_token(self) -> Value:
        if self.refusal is not None:
            raise self.refusal
        if not self.gives_token:
            return {"id": self.page}
        self.tokens.append(f"{self.tokens[0]}-{len(self.tokens) + 1}")
        return {"access_token": self.tokens[-1], "id": self.page}
