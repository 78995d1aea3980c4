"""A sign-in at a platform that a browser has under way, for the app or a connect link.

It is found by the hash of the state that the platform brings back, belongs to the browser that
began it, and ends at its first use. Its secrets are sealed (`storage/workspace/flows.py`).
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from chalicelib.domain.platforms.platform import Platform

FLOW_LIFETIME = timedelta(minutes=15)


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """Who connects what. `member_id` began it in the app, or `link_hash` is the link that did.

    `account_id` is the account to sign in to again. `secret` is JSON: the pending sign-in, or the
    accounts that it opened.
    """

    state_hash: str
    browser_hash: str
    workspace_id: str
    platform: Platform
    expires_at: datetime
    method: str | None = None
    member_id: str | None = None
    link_hash: str | None = None
    account_id: str | None = None
    secret: str = field(repr=False)
