"""What members give assistants: a code when they allow it, a key for the code, new keys after that.

`web/authorization` speaks OAuth and calls this. A grant is an API key that acts as its member: the
role, a removal and `revoke` hold for it as for every key. Whoever shows a secret that was used
before may have stolen it, so that the grant ends for both; but for a minute, the refresh token that
was used last may have got no answer, or several programs of one person share it.
"""

from dataclasses import replace

from chalicelib.domain.clock import Clock
from chalicelib.domain.ids import new_id
from chalicelib.domain.workspace.access import Caller, Scope
from chalicelib.domain.workspace.activity import Actor, ActorKind, Deed
from chalicelib.domain.workspace.grants import (
    ACCESS_LIFETIME,
    CODE_LIFETIME,
    IDLE_LIFETIME,
    LONGEST_GRANT,
    AssistantClient,
    AuthorizationCode,
    Grant,
    RefreshToken,
    read_refresh_token,
)
from chalicelib.domain.workspace.key_form import key_hash, looks_like_key
from chalicelib.domain.workspace.operator_errors import UnknownKeyError, UnknownWorkspaceError
from chalicelib.domain.workspace.redirects import name_of
from chalicelib.domain.workspace.renewals import Tokens, grant_after, tokens_after
from chalicelib.domain.workspace.sessions import new_secret, new_token, read_token
from chalicelib.domain.workspace.workspaces import ApiKey
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.workspace.activity import ActivityLog
from chalicelib.storage.sign_in.grants import CodeRepository
from chalicelib.storage.workspace.api_keys import ApiKeyRepository
from chalicelib.storage.workspace.callers import Callers
from chalicelib.storage.workspace.items import StoredKey

_USED_BEFORE = "a code or refresh token that was used before, or is too old"


@dataclass(frozen=True, slots=True, kw_only=True)
class Grants:
    """Grants of all workspaces."""

    codes: CodeRepository
    keys: ApiKeyRepository
    callers: Callers
    activity: ActivityLog
    clock: Clock

    def allow(
        self,
        caller: Caller,
        client: AssistantClient,
        *,
        redirect_uri: str,
        challenge: str,
        scopes: frozenset[Scope],
    ) -> str:
        """Return a code that the assistant exchanges for a key of the caller, within a minute."""
        now, token = self.clock(), new_token(caller.workspace_id)
        code = AuthorizationCode(
            hash=token.hash,
            workspace_id=caller.workspace_id,
            member_id=caller.member_id,
            client_hash=client.hash,
            client_name=f"{client.name} ({name_of(redirect_uri)})",
            redirect_uri=redirect_uri,
            challenge=challenge,
            scopes=scopes,
            key_id=new_id(now),
            expires_at=now + CODE_LIFETIME,
            by=caller.member_name,
            by_client=caller.client,
        )
        self.codes.add(code)
        return str(token)

    def use_code(
        self, text: str, client: AssistantClient, *, address: str = ""
    ) -> AuthorizationCode | None:
        """Use a code up; None for one that is no code of this client, has ended or was used.

        The key of a code that comes a second time is revoked (RFC 6749, 4.1.2).
        """
        token, now = read_token(text), self.clock()
        known = None if token is None else self.codes.find(token.workspace_id, token.hash)
        if known is None or known.client_hash != client.hash:
            return None
        used = self.codes.use(known.workspace_id, known.hash, now)
        if used is None or now >= used.code.expires_at:
            return None
        if not used.is_first:
            self.codes.remove(known.workspace_id, known.hash)
            self._end(used.code.workspace_id, used.code.key_id, address)
            return None
        return used.code

    def keep(self, code: AuthorizationCode, *, access: str, refresh: RefreshToken) -> bool:
        """Keep the key that a code was exchanged for; tell whether the code came no second time.

        Raises OperatorError.
        """
        now = self.clock()
        grant = Grant(
            client_hash=code.client_hash,
            family_hash=refresh.family_hash,
            refresh_hash=refresh.hash,
            access_ends_at=now + ACCESS_LIFETIME,
            ends_at=now + IDLE_LIFETIME,
        )
        key = ApiKey(
            id=code.key_id,
            workspace_id=code.workspace_id,
            member_id=code.member_id,
            name=code.client_name,
            scopes=code.scopes,
            created_at=now,
            client_hash=code.client_hash,
        )
        self.keys.grant(StoredKey(key=key, hash=key_hash(access), grant=grant))
        self.activity.note_key(key, Deed.KEY_CREATED, code.actor, ", ".join(sorted(key.scopes)))
        came_once = self.codes.find(code.workspace_id, code.hash) is not None
        if not came_once:
            self._end(code.workspace_id, code.key_id, "")
        return came_once

    def find(self, refresh: RefreshToken, client: AssistantClient) -> ApiKey | None:
        """Return the key that a refresh token of this client belongs to, used before or not."""
        stored = self.keys.find(refresh.workspace_id, refresh.key_id)
        if stored is None or stored.grant is None:
            return None
        return stored.key if stored.grant.is_for(refresh, client.hash) else None

    def renew(
        self,
        last: RefreshToken,
        client: AssistantClient,
        *,
        address: str = "",
    ) -> Tokens | None:
        """Put new tokens in the place of the last ones, and return them.

        The refresh token that was used last gets them once more for a minute. Any other that was
        used before, or is too old, ends the grant: None.
        """
        now, seed = self.clock(), new_secret()
        given: list[Tokens] = []
        ended: list[ApiKey] = []

        def decide(stored: StoredKey) -> StoredKey | None:
            grant = stored.grant
            given.clear()
            ended.clear()
            if grant is not None and grant.is_for(last, client.hash):
                if grant.repeats(last, now):
                    given.append(tokens_after(last, grant.seed))
                    return stored
                if grant.renews(last, now):
                    given.append(tokens_after(last, seed))
                    latest = stored.key.created_at + LONGEST_GRANT
                    renewed = grant_after(grant, last, seed, now=now, latest=latest)
                    return replace(stored, hash=key_hash(given[0].access), grant=renewed)
            ended.append(stored.key)
            return None

        if self.find(last, client) is None:
            return None
        goes_on = self.keys.renew(last.workspace_id, last.key_id, decide, now)
        for key in ended:
            self.activity.note_key(key, Deed.KEY_REVOKED, _nobody(address), _USED_BEFORE)
        return given[0] if goes_on else None

    def end(self, token: str, client: AssistantClient, *, address: str = "") -> None:
        """End the grant that a token of this client belongs to; nothing for any other text."""
        refresh = read_refresh_token(token)
        key = self.find(refresh, client) if refresh else self._of_access(token, client)
        if key is not None:
            by = Actor(kind=ActorKind.KEY, id=key.id, name=key.name, client=address)
            self._revoke(key.workspace_id, key.id, by, "given back by the assistant")

    def _of_access(self, token: str, client: AssistantClient) -> ApiKey | None:
        holder = self.callers.holder(key_hash(token)) if looks_like_key(token) else None
        if holder is None:
            return None
        stored = self.keys.find(holder.caller.workspace_id, holder.caller.key_id)
        if stored is None or stored.key.client_hash != client.hash:
            return None
        return stored.key

    def _end(self, workspace_id: str, key_id: str, address: str) -> None:
        self._revoke(workspace_id, key_id, _nobody(address), _USED_BEFORE)

    def _revoke(self, workspace_id: str, key_id: str, by: Actor, why: str) -> None:
        try:
            key = self.keys.revoke(workspace_id, key_id, self.clock())
        except (UnknownKeyError, UnknownWorkspaceError):
            return
        self.activity.note_key(key, Deed.KEY_REVOKED, by, why)


def _nobody(address: str) -> Actor:
    """Return whoever shows a token: the assistant, or a thief."""
    return Actor(kind=ActorKind.NOBODY, client=address)
