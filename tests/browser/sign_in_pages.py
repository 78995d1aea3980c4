"""The sign-in pages of ten platforms on loopback, with their fakes behind them.

    pages = SignInPages()
    pages.environment          # points a stack at them

A page checks what the platform demands of its address, and shows a link that allows and one that
declines. Codes then go to the fake's own token address, the proof of the code (PKCE) checked on the
way against the address that began.
"""

import base64
import hashlib
import html
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from typing import Any
from urllib.parse import urlencode

from chalicelib.connectors.facebook.api import FacebookHosts
from chalicelib.connectors.google_business_profile.api import GoogleBusinessProfileHosts
from chalicelib.connectors.instagram.account import InstagramHosts
from chalicelib.connectors.linkedin.api import LinkedInHosts
from chalicelib.connectors.pinterest.api import PinterestHosts
from chalicelib.connectors.reddit.api import RedditHosts
from chalicelib.connectors.threads.account import ThreadsHosts
from chalicelib.connectors.tiktok.api import TikTokHosts
from chalicelib.connectors.x.account import XHosts
from chalicelib.connectors.youtube.api import YouTubeHosts
from chalicelib.domain.platforms.platform import Platform
from tests.connectors.facebook import fake as facebook
from tests.connectors.google_business_profile import fake as google
from tests.connectors.instagram import fake as instagram
from tests.connectors.linkedin import fake as linkedin
from tests.connectors.pinterest import fake as pinterest
from tests.connectors.pinterest.fake_pins import USERNAME as PINTEREST_USERNAME
from tests.connectors.reddit import fake as reddit
from tests.connectors.shared.meta.fake_login import CODE as META_CODE
from tests.connectors.support.fake_platform import Answer, FakePlatform, Received, Wrong
from tests.connectors.threads import fake as threads
from tests.connectors.tiktok import fake as tiktok
from tests.connectors.x import fake as x
from tests.connectors.youtube import fake as youtube
from tests.support.frozen_clock import FrozenClock

_GOOGLE = {"access_type": "offline", "prompt": "consent"}


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInPage:
    """What a platform demands of who signs in: its page's path, the application, the parameters.

    `proof` makes a challenge of a verifier where the platform takes one; `adds` is what the
    platform puts behind its answer. `way` names one of several sign-ins; `chosen` and `handle` say
    who is connected in the end.
    """

    path: str
    client: tuple[str, str]
    code: str
    handle: str
    way: str | None = None
    chosen: str | None = None
    id_name: str = "client_id"
    demands: Mapping[str, str] = field(default_factory=dict)
    proof: Callable[[str], str] | None = None
    adds: str = ""


def _s256(verifier: str) -> str:
    digest = hashlib.sha256(verifier.encode()).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def _tiktoks(verifier: str) -> str:
    return hashlib.sha256(verifier.encode()).hexdigest()


PAGES: Mapping[Platform, SignInPage] = {
    Platform.INSTAGRAM: SignInPage(
        path="oauth/authorize",
        client=(instagram.CLIENT, instagram.SECRET),
        code=META_CODE,
        handle=instagram.HANDLE,
        adds="#_",
    ),
    Platform.TIKTOK: SignInPage(
        path="v2/auth/authorize/",
        client=(tiktok.CLIENT, tiktok.SECRET),
        code=tiktok.CODE,
        handle=tiktok.USERNAME,
        id_name="client_key",
        demands={"scope": tiktok.SCOPES},
        proof=_tiktoks,
    ),
    Platform.YOUTUBE: SignInPage(
        path="o/oauth2/v2/auth",
        client=(youtube.CLIENT, youtube.SECRET),
        code=youtube.CODE,
        handle=youtube.HANDLE,
        demands={**_GOOGLE, "scope": youtube.GRANTED},
        proof=_s256,
    ),
    Platform.LINKEDIN: SignInPage(
        path="oauth/v2/authorization",
        client=(linkedin.CLIENT_ID, linkedin.CLIENT_SECRET),
        code="code-of-nora",
        handle="noras-bakery",
        way="page",
        chosen=linkedin.PAGE,
    ),
    Platform.X: SignInPage(
        path="i/oauth2/authorize",
        client=(x.CLIENT_ID, x.CLIENT_SECRET),
        code="code-of-nora",
        handle=x.USERNAME,
        demands={"scope": x.SCOPE},
        proof=_s256,
    ),
    Platform.FACEBOOK: SignInPage(
        path="v26.0/dialog/oauth",
        client=(facebook.CLIENT, facebook.SECRET),
        code=META_CODE,
        handle=facebook.HANDLE,
        chosen=facebook.PAGE,
        adds="#_",
    ),
    Platform.THREADS: SignInPage(
        path="oauth/authorize",
        client=(threads.CLIENT, threads.SECRET),
        code=META_CODE,
        handle=threads.HANDLE,
        adds="#_",
    ),
    Platform.PINTEREST: SignInPage(
        path="oauth/",
        client=(pinterest.CLIENT_ID, pinterest.CLIENT_SECRET),
        code="code-of-hanna",
        handle=PINTEREST_USERNAME,
    ),
    Platform.REDDIT: SignInPage(
        path="api/v1/authorize",
        client=(reddit.CLIENT_ID, reddit.CLIENT_SECRET),
        code=reddit.CODE,
        handle=reddit.USERNAME,
        demands={"duration": "permanent"},
        adds="#_",
    ),
    Platform.GOOGLE_BUSINESS_PROFILE: SignInPage(
        path="o/oauth2/v2/auth",
        client=(google.CLIENT, google.SECRET),
        code=google.CODE,
        handle="Fake Cafe, 1 High Street",
        chosen=google.LOCATION,
        demands=_GOOGLE,
        proof=_s256,
    ),
}
MEMBER_OF_LINKEDIN = replace(
    PAGES[Platform.LINKEDIN], handle="Nora Bakes", way="member", chosen=linkedin.MEMBER
)
INSTAGRAM_BY_FACEBOOK = replace(
    PAGES[Platform.INSTAGRAM], path="v26.0/dialog/oauth", way="facebook", chosen=instagram.USER
)
_HOSTS: Mapping[Platform, Any] = {
    Platform.INSTAGRAM: InstagramHosts,
    Platform.TIKTOK: TikTokHosts,
    Platform.YOUTUBE: YouTubeHosts,
    Platform.LINKEDIN: LinkedInHosts,
    Platform.X: XHosts,
    Platform.FACEBOOK: FacebookHosts,
    Platform.THREADS: ThreadsHosts,
    Platform.PINTEREST: PinterestHosts,
    Platform.REDDIT: RedditHosts,
    Platform.GOOGLE_BUSINESS_PROFILE: GoogleBusinessProfileHosts,
}
_BELOW = {
    "instagram": "instagram/ig",
    "instagram_exchange": "instagram/ex",
    "facebook": "facebook/fb",
    "facebook_upload": "facebook/up",
}
"""Where the fakes of Meta's platforms expect each of their hosts."""


def _fakes() -> dict[str, FakePlatform]:
    clock = FrozenClock()
    return {
        "instagram": instagram.FakeInstagram(clock),
        "tiktok": tiktok.FakeTikTok(clock),
        "youtube": youtube.FakeYouTube(clock),
        "linkedin": linkedin.FakeLinkedIn(clock),
        "x": x.FakeX(clock),
        "facebook": facebook.FakeFacebook(clock),
        "threads": threads.FakeThreads(clock),
        "pinterest": pinterest.FakePinterest(clock),
        "reddit": reddit.FakeReddit(clock),
        "google-business-profile": google.FakeGoogleBusinessProfile(clock),
    }


class SignInPages(FakePlatform):
    """All pages behind one port, each below its platform's name.

    `redirect_uri` is the only address that the applications are registered for.
    """

    def __init__(self) -> None:
        super().__init__()
        self.redirect_uri = ""
        self.fakes = _fakes()
        self.pages = {_name(platform): page for platform, page in PAGES.items()}
        self._challenges: dict[str, str] = {}

    def close(self) -> None:
        """Stop listening, the fakes too."""
        for fake in self.fakes.values():
            fake.close()
        super().close()

    @contextmanager
    def facebook_for_instagram(self) -> Iterator[None]:
        """Let Facebook open the Instagram accounts behind Pages, for Instagram's application."""
        before = self.fakes["facebook"], self.pages["facebook"]
        behind = instagram.FakeInstagram(FrozenClock(), by_facebook=True)
        self.fakes["facebook"], self.pages["facebook"] = behind, INSTAGRAM_BY_FACEBOOK
        try:
            yield
        finally:
            self.fakes["facebook"], self.pages["facebook"] = before
            behind.close()

    @property
    def environment(self) -> dict[str, str]:
        """Return the settings that send a stack here."""
        return {
            f"GOLDENHOUR_{one.name.upper()}_URL": f"{self.url}/{_BELOW.get(one.name, _name(place))}"
            for place, hosts in _HOSTS.items()
            for one in fields(hosts)
            if "://" in str(one.default) and one.name != "instagram_web"
        }

    def answer(self, call: Received) -> Answer:
        """Show a page to a browser, or let the fake answer the service."""
        name, _, path = call.path.removeprefix("/").partition("/")
        if name not in self.fakes:  # a browser asks for /favicon.ico
            return Answer(404)
        page = self.pages[name]
        if call.method == "GET" and {"state", "redirect_uri"} <= set(call.query):
            return self._page(name, page, path, call.query)
        self._check_proof(name, page, call)
        answer = self.fakes[name].receive(replace(call, path=f"/{path}"))
        return answer or Answer(500)

    def _page(self, name: str, page: SignInPage, path: str, asked: Mapping[str, str]) -> Answer:
        wanted = {
            page.id_name: page.client[0],
            "response_type": "code",
            "redirect_uri": self.redirect_uri,
            **page.demands,
        }
        wrong = [key for key, value in wanted.items() if asked.get(key) != value]
        if path != page.path or wrong or not asked.get("scope"):
            raise Wrong(Answer(400, f"{path} asked with a wrong {wrong}".encode()))
        if page.proof is not None:
            self._challenges[name] = asked["code_challenge"]
        back = f"{asked['redirect_uri']}?{{}}{page.adds}"
        state = {"state": asked["state"]}
        allow = back.format(urlencode({**state, "code": page.code}))
        decline = back.format(urlencode({**state, "error": "access_denied"}))
        links = [("Allow", allow), ("Decline", decline)]
        body = "".join(f'<p><a href="{html.escape(to)}">{label}</a></p>' for label, to in links)
        document = f"<!doctype html><title>{name}</title><h1>Let it post as you?</h1>{body}"
        return Answer(200, document.encode(), {"Content-Type": "text/html; charset=utf-8"})

    def _check_proof(self, name: str, page: SignInPage, call: Received) -> None:
        """Refuse a code whose verifier is not that of the page's address, as the platforms do."""
        is_form = "form-urlencoded" in call.headers.get("content-type", "")
        form = call.form if is_form else {}
        if "code" not in form or page.proof is None:
            return
        if page.proof(form.get("code_verifier", "")) != self._challenges.pop(name, None):
            raise Wrong(Answer(400, {"error": "invalid_grant"}))


def _name(platform: Platform) -> str:
    return platform.value.replace(" ", "-")
