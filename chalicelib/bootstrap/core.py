"""The groups of parts that all others use: repositories, workspaces, posts and files.

Parts that are used together are built and imported together. Each group is a class in a file of
this folder and is given the groups whose parts it needs.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from chalicelib.bootstrap.ground import Ground

if TYPE_CHECKING:
    from chalicelib.bootstrap.engine_stores import EngineStores
    from chalicelib.bootstrap.media import MediaParts
    from chalicelib.bootstrap.posts import PostParts
    from chalicelib.bootstrap.stores import Stores
    from chalicelib.bootstrap.workspaces import WorkspaceParts
    from chalicelib.connectors.shared.registry import Connectors
    from chalicelib.storage.sandbox import SandboxTable


class Core(Ground):
    """The groups of parts, each built when it is first used."""

    @cached_property
    def sandbox_store(self) -> SandboxTable:
        """The posts that test accounts published."""
        from chalicelib.bootstrap.connectors import open_sandbox

        return open_sandbox(self.settings, self.clients.dynamodb)

    @cached_property
    def connectors(self) -> Connectors:
        from chalicelib.bootstrap.connectors import make_connectors

        return make_connectors(self, lambda: self.sandbox_store)

    @cached_property
    def engine_stores(self) -> EngineStores:
        from chalicelib.bootstrap.engine_stores import EngineStores

        return EngineStores(self)

    @cached_property
    def stores(self) -> Stores:
        from chalicelib.bootstrap.stores import Stores

        return Stores(self, self.engine_stores)

    @cached_property
    def workspace(self) -> WorkspaceParts:
        from chalicelib.bootstrap.workspaces import WorkspaceParts

        return WorkspaceParts(self, self.connectors, self.stores)

    @cached_property
    def posting(self) -> PostParts:
        from chalicelib.bootstrap.posts import PostParts

        return PostParts(self.stores, self.workspace, self.clock)

    @cached_property
    def media(self) -> MediaParts:
        from chalicelib.bootstrap.media import MediaParts

        return MediaParts(self, self.workspace, self.posting)
