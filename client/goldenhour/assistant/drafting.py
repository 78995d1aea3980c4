"""Tools that upload files and write drafts; nothing goes out by them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from goldenhour.assistant import parameters
from goldenhour.assistant.answers import BegunUpload, PostAnswer, UploadAnswer
from goldenhour.assistant.workspace import Workspace
from goldenhour.models.accounts import Account
from goldenhour.models.media import Media
from goldenhour.models.options import Options
from goldenhour.models.posts import NewTarget, Post, TargetChange
from goldenhour.spoken.choosing import captions_of, find_accounts, make_targets, options_of

Wanted = Mapping[str, Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class Uploading:
    """Tools that bring a photo or video to the service."""

    workspace: Workspace

    def upload_file(self, path: parameters.Path) -> UploadAnswer:
        """Upload a photo or video from the folder that is open here; returns its media_id."""
        file = self.workspace.guard.find_file(path)
        return _uploaded(self.workspace.client().media.upload(file))

    def upload_from_address(self, url: parameters.Url) -> UploadAnswer:
        """Let the service fetch a photo or video from a public address; returns its media_id."""
        self.workspace.guard.require_address(url)
        return _uploaded(self.workspace.client().media.upload_from_url(url, timeout_s=120))

    def begin_upload(
        self, filename: parameters.Filename, size_bytes: parameters.SizeBytes
    ) -> BegunUpload:
        """Get an address for a photo or video of your own machine.

        Send the file's bytes there as the answer says, then call finish_upload.
        """
        begun = self.workspace.client().media.begin_upload(filename=filename, size_bytes=size_bytes)
        return BegunUpload(
            media_id=begun.media_id,
            method=begun.method,
            url=begun.url,
            headers=begun.headers,
            expires=self.workspace.tell(begun.expires_at),
        )

    def finish_upload(self, media_id: parameters.MediaId) -> UploadAnswer:
        """Wait until a file that was sent to begin_upload's address can be posted."""
        return _uploaded(self.workspace.client().media.wait_until_ready(media_id, timeout_s=120))


@dataclass(frozen=True, slots=True)
class Drafting:
    """Tools that write drafts."""

    workspace: Workspace

    def create_draft(
        self,
        *,
        accounts: parameters.AccountNames,
        caption: parameters.Caption = "",
        media_id: parameters.SomeMediaId = None,
        captions: parameters.Captions = None,
        options: parameters.Options = None,
        key: parameters.Key = None,
    ) -> PostAnswer:
        """Make a draft; nothing goes out until it is scheduled."""
        client = self.workspace.client()
        chosen = find_accounts(accounts, client.accounts.list().data)
        draft = client.posts.create(
            targets=make_targets(chosen, options or {}, captions or {}),
            caption=caption,
            media_ids=[] if media_id is None else [media_id],
            idempotency_key=key,
        )
        return self.workspace.post(draft)

    def edit_draft(  # noqa: PLR0913 - a tool's arguments
        self,
        *,
        post_id: parameters.PostId,
        caption: parameters.NewCaption = None,
        captions: parameters.Captions = None,
        options: parameters.Options = None,
        media_id: parameters.NewMediaId = None,
        add_accounts: parameters.SomeAccountNames = None,
        remove_accounts: parameters.SomeAccountNames = None,
    ) -> PostAnswer:
        """Change a post that is still a draft on every account; what is left out stays."""
        posts = self.workspace.client().posts
        post = posts.get(post_id)
        self.workspace.guard.require_untouched(post)
        on_it, added = self._accounts(post, add_accounts or ())
        removed = find_accounts(remove_accounts or (), on_it)
        kept = [each for each in on_it if each not in removed]
        texts = captions_of([*kept, *added], captions or {})
        wanted = options_of([*kept, *added], options or {})
        changed = posts.edit(
            post_id,
            caption=caption,
            targets=_changes(post, kept, texts, wanted),
            add=[
                NewTarget(
                    account_id=each.id,
                    caption_override=texts.get(each.id),
                    options=cast("Options | None", wanted.get(each.id)),
                )
                for each in added
            ],
            remove=[_target_of(post, each) for each in removed],
            if_match=post.etag,
        )
        if media_id is None or [*changed.media_ids] == [media_id][: len(media_id)]:
            return self.workspace.post(changed)
        return self._with_file(changed, media_id)

    def _accounts(self, post: Post, add: Sequence[str]) -> tuple[list[Account], list[Account]]:
        """Return the accounts that a post is for, and those to add to it."""
        every = self.workspace.client().accounts.list().data
        on_it = {target.account_id for target in post.targets}
        added = [each for each in find_accounts(add, every) if each.id not in on_it]
        return [each for each in every if each.id in on_it], added

    def _with_file(self, post: Post, media_id: str) -> PostAnswer:
        """Make a draft anew with another file, since no call changes a post's; delete the old."""
        posts = self.workspace.client().posts
        made = posts.create(
            targets=[
                NewTarget(
                    account_id=target.account_id,
                    caption_override=target.caption_override,
                    options=cast("Options", target.options),
                )
                for target in post.targets
                if target.account_id is not None
            ],
            caption=post.caption,
            media_ids=[media_id] if media_id else [],
            idempotency_key=f"replaces-{post.id}-{media_id or 'none'}"[:80],
        )
        posts.delete(post.id)
        return replace(self.workspace.post(made), replaces=post.id)


def _uploaded(media: Media) -> UploadAnswer:
    return UploadAnswer(media_id=media.id, file=media)


def _target_of(post: Post, account: Account) -> str:
    return next(each.id for each in post.targets if each.account_id == account.id)


def _changes(
    post: Post, kept: Sequence[Account], texts: Mapping[str, str], wanted: Wanted
) -> list[TargetChange]:
    """Return what changes on the targets that stay; options that are not named stay as well."""
    return [
        TargetChange(
            id=target.id,
            caption_override=texts.get(account.id),
            options=_merged(target.options, wanted[account.id]) if account.id in wanted else None,
        )
        for account in kept
        for target in post.targets
        if target.account_id == account.id and (account.id in texts or account.id in wanted)
    ]


def _merged(options: Mapping[str, object], changes: Mapping[str, object]) -> Options:
    merged = {**options, **changes}
    return cast("Options", {name: each for name, each in merged.items() if each is not None})
