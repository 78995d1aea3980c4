"""Connecting accounts in a browser: for members in the app, and for anybody with a connect link.

Both take the same steps: begin, the platform's page, finish, choose. The OAuth state belongs to one
browser and works once; the rights of whoever began are checked again at the end. The page that
people are sent to afterwards was given by the operator who made the link.
"""

import hashlib
import json
import secrets
from collections.abc import Sequence
from dataclasses import asdict, field, replace
from datetime import timedelta

from chalicelib.connectors.shared.auth.oauth import Client, PendingSignIn
from chalicelib.domain.clock import Clock
from chalicelib.domain.errors import RoleForbids
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.access import Caller, Scope, permissions, require
from chalicelib.domain.workspace.accounts import Account, SignIn
from chalicelib.domain.workspace.activity import OPERATOR, Actor, ActorKind, Deed
from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.domain.workspace.sessions import (
    FLOW_LIFETIME,
    Flow,
    Link,
    LinkKind,
    new_token,
)
from chalicelib.domain.workspace.workspaces import Member
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.app.kept_sign_ins import MOST_KEPT, read_sign_ins, spell_sign_ins
from chalicelib.services.app.reviews import LinkEnded
from chalicelib.services.calls_out import CallsOut
from chalicelib.services.operator.connections import Connections
from chalicelib.services.operator.sign_ins import Ways
from chalicelib.storage.sign_in.flows import FlowRepository
from chalicelib.storage.sign_in.links import LinkRepository
from chalicelib.storage.workspace.members import MemberRepository
from chalicelib.storage.workspace.workspaces import WorkspaceRepository

ASKED_FOR = timedelta(days=7)
"""How long a connect link works that a member made for a client."""


class SignInLost(OperatorError):
    """This sign-in is not under way in this browser. Begin again from where you started."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Starter:
    """Who connects: a member of a workspace, or whoever has a link to it."""

    workspace_id: str
    member_id: str | None = None
    link_hash: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """Where to send the browser, and the mark that it keeps until it comes back."""

    url: str
    browser_mark: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """The result of a sign-in: an account, or several to choose from with `state`.

    `left_out` is how many more the sign-in gives access to.
    """

    starter: Starter
    account: Account | None = None
    return_to: str | None = None
    choices: Sequence[SignIn] = ()
    left_out: int = 0
    state: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Connecting:
    """Sign-ins under way."""

    ways: Ways
    flows: FlowRepository
    links: LinkRepository
    members: MemberRepository
    workspaces: WorkspaceRepository
    connections: Connections
    redirect_uri: str
    clock: Clock
    calls: CallsOut = field(default_factory=CallsOut)

    def invite(
        self,
        workspace_id: str,
        platform: Platform | None,
        return_to: str | None,
        ttl: timedelta,
        *,
        made_by: str = "operator",
        by: Actor = OPERATOR,
    ) -> str:
        """Return a token that lets anybody connect one account. Raises OperatorError."""
        self.connections.list(workspace_id)  # raises for a wrong id
        token, now = new_token(workspace_id), self.clock()
        link = Link(
            hash=token.hash,
            kind=LinkKind.CONNECT,
            workspace_id=workspace_id,
            made_by=made_by,
            maker_id=by.id or None,
            created_at=now,
            expires_at=now + ttl,
            platform=platform,
            return_to=return_to,
        )
        self.links.add(link)
        self.connections.activity.note(
            workspace_id, Deed.ACCOUNT_INVITED, by, detail=platform or "any platform"
        )
        return str(token)

    def ask(self, caller: Caller, platform: Platform | None) -> str:
        """Return a token of a week that lets somebody connect one account for the caller.

        Raises RoleForbids.
        """
        require(caller, Scope.ACCOUNTS)
        return self.invite(
            caller.workspace_id,
            platform,
            None,
            ASKED_FOR,
            made_by=caller.member_name,
            by=Actor.of(caller),
        )

    def open_link(self, text: str) -> Link:
        """Return a connect link that works, while who made it may connect. Raises LinkEnded."""
        link = self.links.open(text, LinkKind.CONNECT, self.clock())
        if link is None or not self._is_backed(link):
            raise LinkEnded
        return link

    def asking(self, link: Link) -> str:
        """Return the name of the workspace that a connect link connects to. Raises LinkEnded."""
        workspace = self.workspaces.get(link.workspace_id)
        if workspace is None:
            raise LinkEnded
        return workspace.name

    def begin(
        self,
        starter: Starter,
        platform: Platform,
        method: str | None,
        handle: str | None,
        account_id: str | None = None,
    ) -> Begun:
        """Begin a sign-in; a given account is signed in to again. Raises OperatorError, Busy."""
        client = self.ways.client(platform, method, starter.workspace_id)
        with self.calls.place(starter.workspace_id):
            pending = self.ways.sign_ins.begin(platform, client, self.redirect_uri, handle, method)
        mark = secrets.token_urlsafe(32)
        flow = Flow(
            state_hash=_hash(pending.state),
            browser_hash=_hash(mark),
            workspace_id=starter.workspace_id,
            platform=platform,
            expires_at=self.clock() + FLOW_LIFETIME,
            method=method,
            member_id=starter.member_id,
            link_hash=starter.link_hash,
            account_id=account_id,
            secret=json.dumps(asdict(pending)),
        )
        self.flows.add(flow)
        return Begun(url=pending.url, browser_mark=mark)

    def finish(
        self, state: str, browser_mark: str | None, query: str, *, client: str = ""
    ) -> Ended:
        """Take a platform's answer.

        Raises SignInLost, RoleForbids, LinkEnded, OperatorError, and Busy, which uses nothing up.
        """
        flow = self._under_way(state, browser_mark)
        with self.calls.place(flow.workspace_id):
            self._use_up(flow)
            kept = json.loads(flow.secret)
            pending = PendingSignIn(**{**kept, "client": Client(**kept["client"])})
            address = f"{self.redirect_uri}?{query}"
            found = self.ways.sign_ins.finish(flow.platform, pending, address, flow.method)
        if len(found) == 1 or flow.account_id is not None:
            return self._connect(flow, _fitting(found, self._identity(flow)), client)
        state = secrets.token_urlsafe(24)
        some = found[:MOST_KEPT]
        self.flows.add(replace(flow, state_hash=_hash(state), secret=spell_sign_ins(some)))
        left_out = len(found) - len(some)
        return Ended(starter=_starter(flow), choices=some, left_out=left_out, state=state)

    def choose(
        self, state: str, browser_mark: str | None, identity: str, *, client: str = ""
    ) -> Ended:
        """Connect one of several accounts that a sign-in opened. Raises as `finish` does."""
        flow = self._under_way(state, browser_mark)
        self._use_up(flow)
        return self._connect(flow, _fitting(read_sign_ins(flow.secret), identity), client)

    def by_password(
        self, starter: Starter, platform: Platform, handle: str, password: str, *, client: str = ""
    ) -> Ended:
        """Connect an account by a password for apps. Raises OperatorError, Busy."""
        with self.calls.place(starter.workspace_id):
            sign_in = self.ways.sign_ins.by_password(platform, handle, password)
        return self._keep(starter, sign_in, account_id=None, client=client)

    def _under_way(self, state: str, browser_mark: str | None) -> Flow:
        flow = self.flows.find(_hash(state))
        if flow is None or not secrets.compare_digest(flow.browser_hash, _hash(browser_mark or "")):
            raise SignInLost
        return flow

    def _use_up(self, flow: Flow) -> None:
        if not self.flows.take(flow.state_hash) or self.clock() >= flow.expires_at:
            raise SignInLost

    def _connect(self, flow: Flow, sign_in: SignIn, client: str) -> Ended:
        return self._keep(_starter(flow), sign_in, account_id=flow.account_id, client=client)

    def _keep(
        self, starter: Starter, sign_in: SignIn, *, account_id: str | None, client: str
    ) -> Ended:
        """Connect what was signed in to, if who began may still do so.

        A link is used up first, since it connects one account, and comes back if that fails.
        """
        link, member = self._find_starter(starter)
        by = Actor(
            kind=ActorKind.LINK if member is None else ActorKind.MEMBER,
            id="" if member is None else member.id,
            name=f"link by {link.made_by}" if link is not None else member.name if member else "",
            client=client,
        )
        if link is not None and self.links.take(link.workspace_id, link.hash) is None:
            raise LinkEnded
        try:
            if account_id is not None:
                account = self.connections.reconnect(account_id, sign_in, by=by)
            else:
                account = self.connections.connect(starter.workspace_id, sign_in, by=by)
        except Exception:
            if link is not None:
                self.links.add(link)
            raise
        return_to = None if link is None else link.return_to
        return Ended(starter=starter, account=account, return_to=return_to)

    def _find_starter(self, starter: Starter) -> tuple[Link | None, Member | None]:
        """Return the link or the member that connects. Raises LinkEnded, RoleForbids."""
        if starter.link_hash is not None:
            link = self.links.find(starter.workspace_id, starter.link_hash)
            works = link is not None and link.works_as(LinkKind.CONNECT, self.clock())
            if link is None or not works or not self._is_backed(link):
                raise LinkEnded
            return link, None
        member = self._find_connecting(starter.workspace_id, starter.member_id or "")
        if member is None:
            raise RoleForbids
        return None, member

    def _is_backed(self, link: Link) -> bool:
        """Tell whether the maker of a link may still connect accounts; operators always may."""
        maker = link.maker_id
        return maker is None or self._find_connecting(link.workspace_id, maker) is not None

    def _find_connecting(self, workspace_id: str, member_id: str) -> Member | None:
        """Return a member who may connect accounts, None for any other."""
        member = self.members.find(workspace_id, member_id)
        may = member is not None and Scope.ACCOUNTS in permissions(member.role)
        return member if may else None

    def _identity(self, flow: Flow) -> str | None:
        if flow.account_id is None:
            return None
        return self.connections.find(flow.account_id).remote_identity


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _starter(flow: Flow) -> Starter:
    return Starter(
        workspace_id=flow.workspace_id, member_id=flow.member_id, link_hash=flow.link_hash
    )


def _fitting(found: Sequence[SignIn], identity: str | None) -> SignIn:
    """Return the account with an identity, or the only one. Raises OperatorError."""
    if identity is None and len(found) == 1:
        return found[0]
    for one in found:
        if one.remote_identity == identity:
            if one.barred is not None:
                raise OperatorError(one.barred)
            return one
    raise OperatorError("That is a different account. Sign in to the one that you chose before.")
