"""The accounts of a deployment at their platforms: who reaches them, by which tokens."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from chalicelib.bootstrap.storage import Storage

if TYPE_CHECKING:
    from chalicelib.connectors.connector import Connector
    from chalicelib.connectors.shared.registry import Connectors
    from chalicelib.domain.platforms.platform import Platform
    from chalicelib.services.calls_out import CallsOut
    from chalicelib.services.posts.risk_notices import RiskNotices
    from chalicelib.services.workspace.accounts import Accounts
    from chalicelib.services.workspace.choices import AccountChoices
    from chalicelib.services.workspace.creators import Creators
    from chalicelib.services.workspace.token_keeper import TokenKeeper


class Platforms(Storage):
    """What reaches platforms, and what is told when an account is reached no more."""

    @cached_property
    def connectors(self) -> Connectors:
        """Every platform this deployment can publish to."""
        from chalicelib.connectors.shared.registry import (
            Connectors,
            real_connectors,
            require_settings,
        )
        from chalicelib.domain.platforms.facts import MadeWhenMet

        versions = require_settings(self.settings.platform_versions)
        addresses = {**self.settings.platform_urls, **versions}
        real = real_connectors(addresses, self.clock, self.settings.trusted_origins)

        def sandbox(platform: Platform) -> Connector:
            from chalicelib.connectors.sandbox.connector import SandboxConnector

            url = self.settings.base_url
            return SandboxConnector(platform, self.sandbox_store, url, rules=real[platform])

        return Connectors(sandbox=MadeWhenMet(sandbox), real=real)

    @cached_property
    def accounts(self) -> Accounts:
        from chalicelib.services.workspace.accounts import Accounts

        return Accounts(
            accounts=self.account_repository,
            creators=self.creators,
            choices=self.choices,
            calls=self.calls_out,
            settings=self.settings.platform_versions,
        )

    @cached_property
    def token_keeper(self) -> TokenKeeper:
        """What hands out accounts with a working token."""
        from chalicelib.services.workspace.token_keeper import TokenKeeper

        notices = self.risk_notices
        return TokenKeeper(
            store=self.token_store,
            clock=self.clock,
            broke=notices.account_broke,
            warned=notices.sign_in_ends,
        )

    @cached_property
    def calls_out(self) -> CallsOut:
        """The places of requests that wait for other people's servers."""
        from chalicelib.services.calls_out import CallsOut

        return CallsOut()

    @cached_property
    def creators(self) -> Creators:
        """What asks TikTok for a creator's settings."""
        from chalicelib.services.workspace.creators import Creators

        return Creators(connectors=self.connectors, tokens=self.token_keeper, clock=self.clock)

    @cached_property
    def choices(self) -> AccountChoices:
        from chalicelib.services.workspace.choices import AccountChoices

        return AccountChoices(
            connectors=self.connectors,
            tokens=self.token_keeper,
            creators=self.creators,
            clock=self.clock,
        )

    @cached_property
    def risk_notices(self) -> RiskNotices:
        from chalicelib.services.posts.risk_notices import RiskNotices

        return RiskNotices(posts=self.posts, lists=self.post_lists, clock=self.clock)
