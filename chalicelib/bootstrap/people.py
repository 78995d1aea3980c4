"""The services for operators' commands and members in the app, and their e-mails and notices."""

from functools import cached_property
from typing import TYPE_CHECKING

from chalicelib.bootstrap.clients import Clients
from chalicelib.connectors.shared.card_pictures import as_jpeg
from chalicelib.domain.workspace.notices import Mailer
from chalicelib.services.analytics import Analytics
from chalicelib.services.app.browsers import Browsers
from chalicelib.services.app.client_pages import ClientPages
from chalicelib.services.app.demo_week import DemoWeek
from chalicelib.services.app.grants import Grants
from chalicelib.services.app.reviews import Reviews
from chalicelib.services.app.sessions import Sessions
from chalicelib.services.app.sign_in_links import SignInLinks
from chalicelib.services.app.team import Team
from chalicelib.services.app.workspace_pictures import WorkspacePictures
from chalicelib.services.operator.address_proofs import AddressProofs, AddressQuestions
from chalicelib.services.operator.administration import Administration
from chalicelib.services.operator.connections import Connections
from chalicelib.services.operator.digests import Digests
from chalicelib.services.operator.engine_control import EngineControl
from chalicelib.services.operator.export_letters import ExportLetters
from chalicelib.services.operator.matters import Matters
from chalicelib.services.operator.member_erasure import MemberErasure
from chalicelib.services.operator.notices import (
    FUNCTIONS_PATIENCE_S,
    PATIENCE_S,
    Notices,
    OwnLetters,
)
from chalicelib.services.operator.outbox import Outbox
from chalicelib.services.operator.security_letters import SecurityLetters
from chalicelib.services.operator.ways import ByMail, ByPush
from chalicelib.services.posts.approvals import Approvals
from chalicelib.settings import Settings
from chalicelib.storage.export.requests import ExportRequestRows
from chalicelib.storage.sign_in.former_people import FormerPeople
from chalicelib.storage.sign_in.grants import CodeRepository
from chalicelib.storage.sign_in.passkeys import PasskeyRepository
from chalicelib.storage.sign_in.sessions import SessionRepository
from chalicelib.storage.workspace.api_keys import ApiKeyRepository
from chalicelib.storage.workspace.browsers import BrowserRows, PushKey
from chalicelib.storage.workspace.member_names import MemberNames
from chalicelib.storage.workspace.notices import NoticeRows
from chalicelib.storage.workspace.owner_index import OwnerIndex
from chalicelib.storage.workspace.persons import PersonRepository
from chalicelib.storage.workspace.pictures import WorkspacePictureRows

if TYPE_CHECKING:
    from collections.abc import Callable

    from chalicelib.bootstrap.core import Core
    from chalicelib.connectors.shared.web_push import WebPush
    from chalicelib.services.app.ceremonies import Ceremonies
    from chalicelib.services.app.client_documents import ClientDocuments
    from chalicelib.services.posts.risks import ComingRisks


class PeopleParts:
    """Administration, accounts, sessions, the team, reviews, analytics, notices."""

    def __init__(
        self,
        core: "Core",
        coming_risks: "Callable[[], ComingRisks]",
    ) -> None:
        self._coming_risks = coming_risks
        settings, stores = core.settings, core.stores
        posts, media = core.posting, core.media
        activity, clock = core.workspace.activity, core.clock
        directory = stores.directory_table
        keys, index = ApiKeyRepository(directory), OwnerIndex(directory)
        self.administration = Administration(
            workspaces=stores.workspaces,
            members=stores.members,
            keys=keys,
            index=index,
            activity=activity,
            clock=clock,
        )
        self.connections: Connections = Connections(
            workspaces=stores.workspaces,
            accounts=stores.account_repository,
            tokens=stores.token_store,
            index=index,
            armed=stores.armed_targets,
            profiles=stores.profiles,
            activity=activity,
            clock=clock,
            broke=core.workspace.risk_notices.account_broke,
        )
        self.engine_control = EngineControl(
            posts=stores.posts,
            targets=stores.targets,
            lanes=stores.lanes,
            switch=stores.engine_switch,
            clock=clock,
            chosen_versions=settings.platform_versions,
        )
        self.persons = PersonRepository(directory)
        self.export_rows = ExportRequestRows(directory.table)
        self.former_people = FormerPeople(directory, self.persons)
        self.passkeys = PasskeyRepository(directory, self.persons)
        self.sessions = Sessions(
            sessions=SessionRepository(directory),
            persons=self.persons,
            former=self.former_people,
            members=stores.members,
            accounts=stores.account_repository,
            index=index,
            activity=activity,
            clock=clock,
        )
        self.sign_in_links = SignInLinks(
            sessions=self.sessions,
            links=stores.links,
            members=stores.members,
            persons=self.persons,
            former=self.former_people,
            workspaces=stores.workspaces,
            index=index,
            activity=activity,
            clock=clock,
        )
        self.pictures = WorkspacePictures(
            rows=WorkspacePictureRows(directory), shrink=as_jpeg, activity=activity
        )
        self.team = Team(administration=self.administration, links=self.sign_in_links)
        self.grants = Grants(
            codes=CodeRepository(directory),
            keys=keys,
            callers=stores.callers,
            activity=activity,
            clock=clock,
        )
        self.approvals = Approvals(workspaces=stores.workspaces, updates=posts.updates, clock=clock)
        self.reviews = Reviews(
            posts=stores.posts,
            lists=stores.post_lists,
            library=media.library,
            approvals=self.approvals,
            comments=core.posting.comments,
            workspaces=stores.workspaces,
            members=stores.members,
            links=stores.links,
            activity=activity,
            clock=clock,
        )
        self.client_pages = ClientPages(
            reviews=self.reviews,
            posts=stores.posts,
            lists=stores.post_lists,
            comments=posts.comments,
            clock=clock,
        )
        self.demo_week = DemoWeek(
            connections=self.connections,
            drafts=posts.drafts,
            scheduling=posts.scheduling,
            lists=stores.post_lists,
            library=media.library,
            clock=clock,
        )
        self.member_erasure = MemberErasure(
            administration=self.administration, names=MemberNames(directory)
        )
        self.address_proofs = AddressProofs(links=stores.links, members=stores.members, clock=clock)
        self.analytics = Analytics(
            posts=stores.posts, lists=stores.post_lists, reads=stores.result_reads, clock=clock
        )
        self._core = core
        self.mailer = make_mailer(settings, core.clients)
        self.push_key = PushKey(directory, stores.token_store.vault)
        self.browsers = Browsers(
            rows=BrowserRows(directory),
            key=self.push_key,
            trusted=settings.trusted_origins,
            clock=clock,
        )

    @cached_property
    def notices(self) -> Notices:
        """Sends notices to members, by e-mail if that is set up, and in browsers."""
        return self.make_notices(self.mailer)

    def make_notices(self, mailer: Mailer | None) -> Notices:
        """Return what sends notices; by e-mail only with a mailer."""
        core, stores, clock = self._core, self._core.stores, self._core.clock
        rows, url = NoticeRows(stores.directory_table), core.settings.outer_url
        outbox = None
        if mailer is not None:
            outbox = Outbox(rows=rows, mailer=mailer, url=url, clock=clock)
        by_push = ByPush(
            key=self.push_key,
            browsers=self.browsers.rows,
            sessions=self.sessions.sessions,
            persons=self.persons,
            pusher=lambda: self.pusher,
            clock=clock,
        )
        return Notices(
            workspaces=stores.workspaces,
            members=stores.members,
            matters=Matters(
                accounts=stores.account_repository,
                lists=stores.post_lists,
                series=stores.series_repository,
                comments=core.posting.comments,
                coming_risks=self._coming_risks,
                clock=clock,
            ),
            engine_status=self.engine_control.engine_status,
            letters=None if outbox is None else self._own_letters(outbox),
            digests=Digests(lists=stores.post_lists, rows=rows, clock=clock),
            rows=rows,
            ways=(by_push,) if outbox is None else (ByMail(outbox), by_push),
            clock=clock,
            patience_s=PATIENCE_S if core.settings.is_one_machine else FUNCTIONS_PATIENCE_S,
        )

    @cached_property
    def pusher(self) -> "WebPush":
        """Sends messages to push services; it imports the library that encrypts and signs them."""
        from chalicelib.connectors.shared.web_push import WebPush
        from chalicelib.domain.version import USER_AGENT
        from chalicelib.kit.transport.guarded import GuardedFetch

        settings = self._core.settings
        fetch = GuardedFetch(settings.trusted_origins, user_agent=USER_AGENT)
        return WebPush(
            fetch,
            key=lambda: self.push_key.private,
            contact=settings.outer_url,
            clock=self._core.clock,
        )

    @cached_property
    def ceremonies(self) -> "Ceremonies":
        """Adds and checks passkeys; it imports the library that verifies them."""
        from chalicelib.services.app.ceremonies import Ceremonies
        from chalicelib.storage.sign_in.question_key import QuestionKey

        return Ceremonies(
            rows=self.passkeys,
            key=QuestionKey(self._core.stores.directory_table),
            persons=self.persons,
            former=self.former_people,
            sessions=self.sessions,
            activity=self._core.workspace.activity,
            clock=self._core.clock,
        )

    @cached_property
    def client_documents(self) -> "ClientDocuments":
        """Fetches what assistants publish; it imports the library that sends requests."""
        from chalicelib.domain.version import USER_AGENT
        from chalicelib.kit.transport.guarded import GuardedFetch
        from chalicelib.services.app.client_documents import ClientDocuments

        fetch = GuardedFetch(self._core.settings.trusted_origins, user_agent=USER_AGENT)
        return ClientDocuments(fetch, self._core.workspace.calls_out, self._core.clock)

    def _own_letters(self, outbox: Outbox) -> OwnLetters:
        core, stores = self._core, self._core.stores
        return OwnLetters(
            questions=AddressQuestions(links=stores.links, outbox=outbox),
            security=SecurityLetters(activity=core.workspace.activity, outbox=outbox),
            exports=ExportLetters(
                rows=self.export_rows,
                workspaces=stores.workspaces,
                members=stores.members,
                outbox=outbox,
            ),
        )


def make_mailer(settings: Settings, clients: Clients) -> Mailer | None:
    """Return the mailer of the settings: an SMTP server, or SES with a sender; None without."""
    if settings.smtp_url is not None:
        from chalicelib.connectors.shared.mail import SmtpMailer

        return SmtpMailer(settings.smtp_url)
    if settings.notices_sender is not None:
        from chalicelib.storage.mail import SesMailer

        return SesMailer(clients.ses, settings.notices_sender)
    return None
