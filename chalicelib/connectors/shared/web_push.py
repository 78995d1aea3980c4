"""Sends messages to the push services of browsers: RFC 8030, signed by RFC 8292 (VAPID).

Members' browsers name the services, so that every address is a stranger's: https, public, and no
redirect is followed. A message that a service does not accept is tried again in a later round of
notices.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Final
from urllib.parse import urlsplit

from py_vapid import Vapid02, VapidException

from chalicelib.connectors.shared.calls.waits import read_wait
from chalicelib.connectors.shared.push_encryption import encrypt
from chalicelib.domain.clock import Clock
from chalicelib.domain.workspace.push import Browser, BrowserGone, NotPushed, PushMessage
from chalicelib.kit import base64url
from chalicelib.kit.transport.failures import PlatformError
from chalicelib.kit.transport.guarded import GuardedFetch
from chalicelib.kit.transport.network_rules import ForbiddenAddressError

_SECONDS: Final = 10.0
_MOST_BYTES: Final = 65_536
_KEPT_FOR: Final = timedelta(hours=12)
"""How long a service keeps a message for a browser that is offline."""
_SIGNED_FOR: Final = timedelta(hours=1)
"""RFC 8292 allows a day."""
_GONE: Final = frozenset({404, 410})
_TAKEN: Final = range(200, 300)


class WebPush:
    """Messages to browsers, signed by one key; safe to share between threads.

    `key` gives the private key, 32 bytes in URL-safe Base64; `contact` is whom a push service may
    write to.
    """

    def __init__(
        self, fetch: GuardedFetch, *, key: Callable[[], str], contact: str, clock: Clock
    ) -> None:
        self._fetch = fetch
        self._key = key
        self._contact = contact
        self._clock = clock

    def send(self, browser: Browser, message: PushMessage) -> None:
        """Send a message. Raises NotPushed, BrowserGone."""
        try:
            sealed = encrypt(
                message.to_bytes(),
                browser_key=base64url.decode(browser.key),
                browser_secret=base64url.decode(browser.secret),
            )
        except ValueError:
            raise BrowserGone("Its keys cannot be read.") from None
        try:
            answer = self._fetch.hand_over(
                browser.address,
                sealed,
                most_bytes=_MOST_BYTES,
                seconds=_SECONDS,
                headers={
                    **self._signed_headers(browser.address),
                    "Content-Encoding": "aes128gcm",
                    "TTL": str(int(_KEPT_FOR.total_seconds())),
                    "Topic": f"{message.kind}-{browser.workspace_id}"[:32],
                    "Urgency": "normal",
                },
            )
        except (ForbiddenAddressError, VapidException):
            raise BrowserGone("Its address is not on the public internet.") from None
        except PlatformError as error:
            raise NotPushed(f"The push service did not answer: {error}") from None
        if answer.status in _GONE:
            raise BrowserGone(f"Its push service says {answer.status}.")
        if answer.status not in _TAKEN:
            said = f"The push service says {answer.status}."
            asked = answer.headers.get("Retry-After", "")
            raise NotPushed(said, read_wait(asked, self._clock()))

    def _signed_headers(self, address: str) -> dict[str, str]:
        parts = urlsplit(address)
        signer = Vapid02.from_raw(self._key().encode())
        # The library wants a `mailto:`, or a host without a port; any URI is allowed here.
        signer.conf = {"no-strict": True}
        ends_at = self._clock() + _SIGNED_FOR
        claims = {
            "aud": f"{parts.scheme}://{parts.netloc}",
            "exp": int(ends_at.timestamp()),
            "sub": self._contact,
        }
        signed: dict[str, str] = signer.sign(claims)
        return signed
