"""What a trial sends: a text that says what it is, files of the workspace, as quiet as possible.

Where the platform lets a post be seen by its author alone, that is the default; elsewhere the post
is public until it is deleted, seconds later.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace

from chalicelib.connectors.connector import (
    Connector,
    MediaFile,
    OffersChoices,
    Publication,
    as_connected,
)
from chalicelib.connectors.shared.calls.exchanges import Redactor
from chalicelib.connectors.shared.registry import Connectors
from chalicelib.domain.clock import Clock
from chalicelib.domain.errors import MediaNotFound
from chalicelib.domain.ids import new_id
from chalicelib.domain.media.media import Media
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.options import option_problems
from chalicelib.domain.posts.post import Attachment, Post
from chalicelib.domain.posts.sendable import unfit_media
from chalicelib.domain.posts.target import Target
from chalicelib.domain.workspace.accounts import Account
from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.domain.workspace.tokens import KeptTokens
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.failures import PlatformError
from chalicelib.services.workspace.token_keeper import TokenKeeper
from chalicelib.storage.media.records import MediaRepository
from chalicelib.workers.media.preparing import Preparation
from chalicelib.workers.media.shared_copies import BeingMadeError, NotPreparedError
from chalicelib.workers.trial.connector_trial import ConnectorTrial, Pause, sleep

_LOOKS = 30
"""How often a file is asked for that the convert lane makes: some minutes in all."""
_TEXT = "goldenhour tries its connector ({0}). This post is deleted in a moment."
_NEEDS_FILE = (
    "{0} takes no text alone. Upload a photo or a video to the workspace (POST /v1/media)"
    " and name it with --media ID."
)
_NEEDS_OPTION = "{0} needs {1}: name one with --option {1}=VALUE.{2}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialWish:
    """What an operator wants to be tried."""

    media_ids: Sequence[str] = ()
    options: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trials:
    """Makes trials for accounts of this deployment."""

    connectors: Connectors
    keeper: TokenKeeper
    tokens: Callable[[Account], KeptTokens | None]
    files: MediaRepository
    preparation: Preparation
    clock: Clock
    pause: Pause = sleep

    def begin(self, account: Account, wish: TrialWish) -> list[ConnectorTrial]:
        """Return the trials of an account, one for its text and one for each file.

        Raises OperatorError for what the platform is known to refuse.
        """
        if account.test:
            message = "A test account publishes to the built-in sandbox. Connect a real account."
            raise OperatorError(message)
        connector = self.connectors.serving(as_connected(account))
        files = [self._file(account, media_id) for media_id in wish.media_ids]
        if FACTS[account.platform].limits.needs_media and not files:
            raise OperatorError(_NEEDS_FILE.format(FACTS[account.platform].name))
        options = self._options(connector, account, wish.options)
        kinds = files if FACTS[account.platform].limits.needs_media else [None, *files]
        return [self._trial(connector, account, media, options) for media in kinds]

    def redactor(self, account: Account) -> Redactor:
        """Return what cuts the account's secrets out, those of a refresh meanwhile too."""
        kept = self.tokens(account)
        if kept is None:
            return Redactor(())
        tokens = kept.tokens
        return Redactor([tokens.access, tokens.refresh or "", *tokens.extra.values()])

    def _options(
        self, connector: Connector, account: Account, named: Mapping[str, Json]
    ) -> dict[str, Json]:
        options = {**FACTS[account.platform].quiet_options(account), **named}
        problems = option_problems(account.platform, options)
        if problems:
            told = "; ".join(f"{'.'.join(map(str, one.loc))}: {one.msg}" for one in problems)
            raise OperatorError(
                f"{FACTS[account.platform].name} does not take these options: {told}."
            )
        for name in FACTS[account.platform].required:
            if not options.get(name):
                offered = self._offered_values(connector, account, name)
                message = _NEEDS_OPTION.format(FACTS[account.platform].name, name, offered)
                raise OperatorError(message)
        return options

    def _offered_values(self, connector: Connector, account: Account, name: str) -> str:
        """Tell what the account offers for an option."""
        if not isinstance(connector, OffersChoices):
            return ""
        try:
            choices = connector.choices(self.keeper.sign_in(account, connector))
        except PlatformError:
            return ""
        offered = choices.offered.get(name, ())
        return " There are: " + ", ".join(f"{one.id} ({one.name})" for one in offered) + "."

    def _trial(
        self,
        connector: Connector,
        account: Account,
        media: Media | None,
        options: Mapping[str, Json],
    ) -> ConnectorTrial:
        now = self.clock()
        publication = Publication(
            target_id=new_id(now),
            account=as_connected(account),
            text="",
            media=None,
            options=options,
            due_at=now,
            now=now,
        )
        text = _TEXT.format(publication.target_id[-6:])
        file = None if media is None else self._prepare_file(account, media, text, options)
        return ConnectorTrial(
            connector=connector,
            account=account,
            keeper=self.keeper,
            publication=replace(publication, text=text, media=file),
            clock=self.clock,
            pause=self.pause,
        )

    def _file(self, account: Account, media_id: str) -> Media:
        try:
            media = self.files.get(account.workspace_id, media_id)
        except MediaNotFound as error:
            message = f"There is no file {media_id} in the account's workspace."
            raise OperatorError(message) from error
        unfit = next(
            iter(unfit_media(account.platform, caption="", kind=media.kind, field="")), None
        )
        if unfit is not None:
            raise OperatorError(unfit.message)
        return media

    def _prepare_file(
        self, account: Account, media: Media, text: str, options: Mapping[str, Json]
    ) -> MediaFile:
        """Return a file as the platform gets it: trimmed and converted like any post's."""
        now = self.clock()
        target = Target(
            id=new_id(now),
            account_id=account.id,
            platform=account.platform,
            handle=account.handle,
            options=options,
        )
        attachment = Attachment.of(media)
        post = Post(
            id=new_id(now),
            workspace_id=account.workspace_id,
            caption=text,
            attachment=attachment,
            approval=None,
            created_at=now,
            created_by="operator",
            targets=(target,),
        )
        return self._when_converted(post, attachment, target, account)

    def _when_converted(
        self, post: Post, attachment: Attachment, target: Target, account: Account
    ) -> MediaFile:
        """Return the target's file as soon as the convert lane has made it."""
        for _ in range(_LOOKS):
            try:
                return self.preparation.file_for(post, attachment, target, account).file
            except NotPreparedError as error:
                raise OperatorError(error.failed.message) from error
            except BeingMadeError as error:
                self.pause(error.wait)
        raise OperatorError("The file is being converted. Try again in a few minutes.")


def read_option(named: str) -> tuple[str, Json]:
    """Read `name=value`, the value as JSON where it is some. Raises OperatorError."""
    name, sign, value = named.partition("=")
    if not sign or not name:
        raise OperatorError(f"An option is written as name=value, not {named!r}.")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value
