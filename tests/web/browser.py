"""A browser without a screen: it keeps cookies by path, follows no redirect, and fills in forms.

    browser.open("/app/posts/new")
    answer = browser.send("/app/posts/new", {"caption": "Fresh bread", "account": account_id})

`send` adds the form token of the last page opened, and the Origin that a browser would send.
"""

import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import unescape
from typing import Self
from urllib.parse import parse_qs, urlencode

from PIL import Image

from chalicelib.api.doors.small_bodies import UNREAD
from chalicelib.api.http.endpoint import MAX_BODY_BYTES
from chalicelib.api.http.key_gatekeeper import KeyGatekeeper
from chalicelib.api.paths import every_endpoint
from chalicelib.bootstrap.deployment import Deployment
from chalicelib.domain.workspace.access import Role
from chalicelib.http.pipeline import Pipeline
from chalicelib.kit.asgi.messages import Request, Response
from chalicelib.web.messages import SESSION_COOKIE
from chalicelib.web.routes import ROUTES as PAGES
from chalicelib.web.session_gatekeeper import SessionGatekeeper
from tests.api.http_room import Room
from tests.support.under_policy import PipelineUnderPolicy

ORIGIN = "http://127.0.0.1:8000"
_TOKEN = re.compile(r'name="form_token" value="([^"]+)"')


def a_photo() -> bytes:
    """Return a small JPEG."""
    out = io.BytesIO()
    Image.new("RGB", (400, 300), "wheat").save(out, "JPEG")
    return out.getvalue()


Fields = Mapping[str, str | Sequence[str]]


@dataclass(frozen=True, slots=True)
class Page:
    """What a browser got."""

    response: Response

    @property
    def status(self) -> int:
        return self.response.status

    @property
    def text(self) -> str:
        return self.response.body.decode()

    @property
    def location(self) -> str:
        return self.response.headers["Location"]

    @property
    def problem(self) -> str:
        """Return the sentence of a refusal."""
        found = re.search(r'class="problem" role="alert">(.*?)</p>', self.text, re.DOTALL)
        assert found is not None, self.text
        return unescape(found[1]).strip()

    @property
    def form_token(self) -> str:
        found = _TOKEN.search(self.text)
        assert found is not None, self.text
        return found[1]


def both(
    deployment: Deployment, *, base_url: str | None = None, public_url: str | None = None
) -> Pipeline:
    """Return what answers for the API and the app, perhaps reached at other addresses."""
    settings = deployment.settings
    pages = SessionGatekeeper(
        deployment,
        PAGES,
        base_url=base_url or settings.base_url,
        public_url=public_url or settings.public_url,
    )
    api = KeyGatekeeper(deployment, every_endpoint(), clock=deployment.clock)
    return PipelineUnderPolicy(api, lambda: pages)


@dataclass(slots=True)
class Browser:
    """One browser; `cookies` are by name, with the path each belongs to."""

    room: Room
    pipeline: Pipeline
    cookies: dict[str, tuple[str, str]] = field(default_factory=dict)
    form_token: str = ""

    @classmethod
    def of(cls, room: Room) -> Self:
        """Return a browser that is not signed in."""
        return cls(room, both(room.house.deployment))

    def signed_in(self, member_id: str | None = None) -> Self:
        """Sign in, as the workspace's owner unless told otherwise."""
        operator = self.room.house.operator
        if member_id is None:
            member_id = operator.people.administration.list_members(self.room.workspace_id)[0].id
        answer = self.send(f"/app/sign-in/{operator.people.sign_in_links.make(member_id)}")
        assert answer.status == 303, answer
        self.open("/app/posts")
        return self

    def with_session(self) -> Self:
        """Have the workspace's owner signed in, without the pages of a sign-in."""
        operator = self.room.house.operator
        owner = operator.people.administration.list_members(self.room.workspace_id)[0]
        cookie = operator.people.sign_in_links.redeem(operator.people.sign_in_links.make(owner.id))
        assert cookie is not None
        known = operator.people.sessions.read(cookie)
        assert known is not None
        self.cookies[SESSION_COOKIE] = (cookie, "/app")
        self.form_token = known.form_token
        return self

    def as_role(self, role: Role) -> Self:
        """Return another browser, in which a new member with this role is signed in."""
        people = self.room.house.operator.people.administration
        member = people.add_member(self.room.workspace_id, name="Grace", role=role)
        return replace(self, cookies={}, form_token="").signed_in(member.id)

    def open(
        self, address: str, *, method: str = "GET", headers: Mapping[str, str] | None = None
    ) -> Page:
        """Open a page."""
        return self._ask(method, address, headers or {}, b"")

    def send(
        self,
        address: str,
        fields: Fields | None = None,
        *,
        token: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Page:
        """Send a form with the session's token."""
        filled = {**(fields or {}), "form_token": self.form_token if token is None else token}
        body = urlencode(filled, doseq=True).encode()
        kind = {"content-type": "application/x-www-form-urlencoded", "origin": ORIGIN}
        return self._ask("POST", address, {**kind, **(headers or {})}, body)

    def upload(
        self, data: bytes, filename: str, *, token: str | None = None, to: str = "/app/media"
    ) -> Page:
        """Send a file by the upload form, or that of another page.

        Only files that posts may have are streamed: of another body that is too large, a server
        hands over what stands for it.
        """
        disposition = f'Content-Disposition: form-data; name="file"; filename="{filename}"'
        body = f"--one\r\n{disposition}\r\n\r\n".encode() + data + b"\r\n--one--\r\n"
        headers = {"content-type": "multipart/form-data; boundary=one", "origin": ORIGIN}
        sent = self.form_token if token is None else token
        if to != "/app/media" and len(body) > MAX_BODY_BYTES:
            body = UNREAD
        return self._ask("POST", f"{to}?form_token={sent}", headers, body)

    def _ask(self, method: str, address: str, headers: Mapping[str, str], body: bytes) -> Page:
        path, _, query = address.partition("?")
        fitting = [
            f"{name}={value}"
            for name, (value, scope) in self.cookies.items()
            if path == scope or path.startswith(f"{scope.rstrip('/')}/")
        ]
        cookies = {"cookie": "; ".join(fitting)} if fitting else {}
        request = Request(
            method=method,
            path=path,
            query=parse_qs(query, keep_blank_values=True),
            headers={"host": "127.0.0.1:8000", **cookies, **headers},
            body=body,
        )
        page = Page(self.pipeline.answer(request))
        self._keep(page)
        return page

    def _keep(self, page: Page) -> None:
        made = page.response.headers.get("Set-Cookie")
        if made is not None:
            name, value = made.partition(";")[0].split("=", 1)
            path = re.search(r"Path=([^;]+)", made)
            assert path is not None
            self.cookies[name] = (value, path[1])
        is_page = page.response.headers.get("Content-Type", "").startswith("text/html")
        found = _TOKEN.search(page.text) if page.status == 200 and is_page else None
        if found is not None:
            self.form_token = found[1]
