"""The use cases of people: what a signed-in member does in the app, and operators by commands."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from chalicelib.bootstrap.use_cases import UseCases
from chalicelib.kit.aws_on_sqlite.address import is_embedded

if TYPE_CHECKING:
    from chalicelib.domain.workspace.notices import Mailer
    from chalicelib.services.app.ceremonies import Ceremonies
    from chalicelib.services.app.connecting import Connecting
    from chalicelib.services.app.grants import Grants
    from chalicelib.services.app.reviews import Reviews
    from chalicelib.services.app.sessions import Sessions
    from chalicelib.services.app.sign_in_links import SignInLinks
    from chalicelib.services.app.team import Team
    from chalicelib.services.operator.address_proofs import AddressProofs
    from chalicelib.services.operator.administration import Administration
    from chalicelib.services.operator.connections import Connections
    from chalicelib.services.operator.deletion import WorkspaceDeletion
    from chalicelib.services.operator.engine_control import EngineControl
    from chalicelib.services.operator.export import WorkspaceExport
    from chalicelib.services.operator.member_erasure import MemberErasure
    from chalicelib.services.operator.moving.side import Side
    from chalicelib.services.operator.notices import Notices
    from chalicelib.services.operator.sign_ins import SignIns
    from chalicelib.services.posts.approvals import Approvals
    from chalicelib.storage.sign_in.former_people import FormerPeople
    from chalicelib.storage.sign_in.passkeys import PasskeyRepository
    from chalicelib.storage.workspace.persons import PersonRepository


class People(UseCases):
    """What changes workspaces, members, sessions and accounts.

    `stack_runs` tells a command whether the local stack runs by itself; None for a stage in AWS.
    """

    stack_runs: bool | None = None

    @cached_property
    def administration(self) -> Administration:
        from chalicelib.services.operator.administration import Administration

        return Administration(
            workspaces=self.workspaces,
            members=self.members,
            keys=self.api_keys,
            index=self.owner_index,
            activity=self.activity,
            clock=self.clock,
        )

    @cached_property
    def connections(self) -> Connections:
        from chalicelib.services.operator.connections import Connections

        return Connections(
            workspaces=self.workspaces,
            accounts=self.account_repository,
            tokens=self.token_store,
            index=self.owner_index,
            armed=self.armed_targets,
            profiles=self.profiles,
            activity=self.activity,
            clock=self.clock,
            broke=self.risk_notices.account_broke,
        )

    @cached_property
    def sign_ins(self) -> SignIns:
        from chalicelib.services.operator.sign_ins import SignIns

        return SignIns(self.connectors, self.clock)

    @cached_property
    def persons(self) -> PersonRepository:
        from chalicelib.storage.workspace.persons import PersonRepository

        return PersonRepository(self.directory_table)

    @cached_property
    def former_people(self) -> FormerPeople:
        from chalicelib.storage.sign_in.former_people import FormerPeople

        return FormerPeople(self.directory_table, self.persons)

    @cached_property
    def sessions(self) -> Sessions:
        from chalicelib.services.app.sessions import Sessions
        from chalicelib.storage.sign_in.sessions import SessionRepository

        return Sessions(
            sessions=SessionRepository(self.directory_table),
            persons=self.persons,
            former=self.former_people,
            members=self.members,
            accounts=self.account_repository,
            index=self.owner_index,
            activity=self.activity,
            clock=self.clock,
        )

    @cached_property
    def sign_in_links(self) -> SignInLinks:
        from chalicelib.services.app.sign_in_links import SignInLinks

        return SignInLinks(
            sessions=self.sessions,
            links=self.links,
            members=self.members,
            persons=self.persons,
            former=self.former_people,
            workspaces=self.workspaces,
            index=self.owner_index,
            activity=self.activity,
            clock=self.clock,
        )

    @cached_property
    def ceremonies(self) -> Ceremonies:
        """What adds and uses passkeys; it imports the library that proves them."""
        from chalicelib.services.app.ceremonies import Ceremonies
        from chalicelib.storage.sign_in.question_key import QuestionKey

        return Ceremonies(
            rows=self.passkeys,
            key=QuestionKey(self.directory_table),
            persons=self.persons,
            former=self.former_people,
            sessions=self.sessions,
            activity=self.activity,
            clock=self.clock,
        )

    @cached_property
    def passkeys(self) -> PasskeyRepository:
        from chalicelib.storage.sign_in.passkeys import PasskeyRepository

        return PasskeyRepository(self.directory_table, self.persons)

    @cached_property
    def team(self) -> Team:
        from chalicelib.services.app.team import Team

        return Team(administration=self.administration, links=self.sign_in_links)

    @cached_property
    def grants(self) -> Grants:
        from chalicelib.services.app.grants import Grants
        from chalicelib.storage.sign_in.grants import CodeRepository
        from chalicelib.storage.workspace.callers import Callers

        return Grants(
            codes=CodeRepository(self.directory_table),
            keys=self.api_keys,
            callers=Callers(self.dynamodb, self.tables),
            clock=self.clock,
        )

    @cached_property
    def approvals(self) -> Approvals:
        from chalicelib.services.posts.approvals import Approvals

        return Approvals(workspaces=self.workspaces, updates=self.updates, clock=self.clock)

    @cached_property
    def reviews(self) -> Reviews:
        from chalicelib.services.app.reviews import Reviews

        return Reviews(
            posts=self.posts,
            lists=self.post_lists,
            library=self.media_library,
            approvals=self.approvals,
            workspaces=self.workspaces,
            members=self.members,
            links=self.links,
            activity=self.activity,
            clock=self.clock,
        )

    @cached_property
    def connecting(self) -> Connecting:
        """What connects accounts in a browser."""
        from chalicelib.services.app.connecting import Connecting
        from chalicelib.services.operator.sign_ins import Ways
        from chalicelib.storage.sign_in.applications import ApplicationRepository
        from chalicelib.storage.sign_in.flows import FlowRepository

        table, encryption = self.directory_table, self.token_store.vault
        applications = ApplicationRepository(table, encryption)
        return Connecting(
            ways=Ways(sign_ins=self.sign_ins, applications=applications),
            flows=FlowRepository(table, encryption),
            links=self.links,
            members=self.members,
            workspaces=self.workspaces,
            connections=self.connections,
            redirect_uri=f"{self.settings.outer_url}/connect/callback",
            clock=self.clock,
            calls=self.calls_out,
        )

    @cached_property
    def deletion(self) -> WorkspaceDeletion:
        from chalicelib.services.operator.deletion import INDEX_FOLLOWS_WITHIN_S, WorkspaceDeletion
        from chalicelib.storage.deletion.files import FileRemains
        from chalicelib.storage.deletion.people import DirectoryRemains
        from chalicelib.storage.deletion.posts import PostRemains
        from chalicelib.storage.deletion.progress import DeletionRows
        from chalicelib.storage.deletion.search import Search

        posts = PostRemains(self.dynamodb, self.tables)
        files = FileRemains(self.dynamodb, self.tables, self.media_store)
        directory = DirectoryRemains(self.directory_table, self.persons)
        return WorkspaceDeletion(
            workspaces=self.workspaces,
            rows=DeletionRows(self.directory_table.table),
            posts=posts,
            files=files,
            directory=directory,
            search=Search(
                self.dynamodb, self.tables, posts=posts, files=files, directory=directory
            ),
            forget_at_sandbox=self.sandbox_store.forget,
            activity=self.activity,
            clock=self.clock,
            index_lag_s=0.0 if is_embedded(self.settings.endpoint_url) else INDEX_FOLLOWS_WITHIN_S,
        )

    @cached_property
    def moving_side(self) -> Side:
        """All of this deployment that moving a workspace reads and writes."""
        from chalicelib.services.operator.moving.side import Side
        from chalicelib.storage.moving.copies import RowsSide
        from chalicelib.storage.moving.doors import Doors
        from chalicelib.storage.moving.holds import Holds
        from chalicelib.storage.moving.rows import WorkspaceRows

        marks, rows = self.marks, WorkspaceRows(self.dynamodb, self.tables)
        return Side(
            identity=self.settings.identity,
            address=self.settings.outer_url,
            answers=self.stack_runs is not False,
            rows=RowsSide(marks, rows, self.token_store.vault),
            doors=Doors(marks),
            holds=Holds(marks, rows),
            store=self.media_store,
            copies=self.prepared_copies,
            sandbox=lambda: self.sandbox_store,
            persons=self.persons,
            queue=self.publish_queue,
        )

    @cached_property
    def export(self) -> WorkspaceExport:
        """What writes all of a workspace to a folder."""
        from chalicelib.services.operator.export import WorkspaceExport
        from chalicelib.storage.export.rows import ExportRows

        return WorkspaceExport(
            workspaces=self.workspaces,
            rows=ExportRows(self.dynamodb, self.tables),
            store=self.media_store,
            activity=self.activity,
            clock=self.clock,
        )

    @cached_property
    def member_erasure(self) -> MemberErasure:
        from chalicelib.services.operator.member_erasure import MemberErasure
        from chalicelib.storage.workspace.member_names import MemberNames

        return MemberErasure(
            administration=self.administration, names=MemberNames(self.directory_table)
        )

    @cached_property
    def address_proofs(self) -> AddressProofs:
        from chalicelib.services.operator.address_proofs import AddressProofs

        return AddressProofs(links=self.links, members=self.members, clock=self.clock)

    @cached_property
    def notices(self) -> Notices | None:
        """Letters to members; None while nothing is named that mails them."""
        if self.mailer is None:
            return None
        from chalicelib.services.operator.address_proofs import AddressQuestions
        from chalicelib.services.operator.notices import Notices
        from chalicelib.services.operator.security_letters import SecurityLetters
        from chalicelib.storage.workspace.notices import NoticeRows

        rows = NoticeRows(self.directory_table)
        questions = AddressQuestions(
            rows=rows,
            links=self.links,
            mailer=self.mailer,
            url=self.settings.outer_url,
            clock=self.clock,
        )
        return Notices(
            workspaces=self.workspaces,
            members=self.members,
            accounts=self.account_repository,
            lists=self.post_lists,
            engine_status=self.engine_control.engine_status,
            questions=questions,
            security=SecurityLetters(
                activity=self.activity,
                rows=rows,
                mailer=self.mailer,
                url=self.settings.outer_url,
                clock=self.clock,
            ),
            rows=rows,
            mailer=self.mailer,
            url=self.settings.outer_url,
            clock=self.clock,
        )

    @cached_property
    def mailer(self) -> Mailer | None:
        """The mail server that is named, or SES with the sender that is."""
        if self.settings.smtp_url is not None:
            from chalicelib.connectors.shared.mail import SmtpMailer

            return SmtpMailer(self.settings.smtp_url)
        if self.settings.notices_sender is not None:
            from chalicelib.storage.mail import SesMailer

            return SesMailer(self.ses, self.settings.notices_sender)
        return None

    @cached_property
    def engine_control(self) -> EngineControl:
        from chalicelib.services.operator.engine_control import EngineControl

        return EngineControl(
            posts=self.posts,
            targets=self.targets,
            lanes=self.lanes,
            switch=self.engine_switch,
            clock=self.clock,
            chosen_versions=self.settings.platform_versions,
        )
