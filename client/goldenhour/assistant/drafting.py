"""Tools that upload files and write drafts; nothing goes out by them."""

from dataclasses import dataclass

from goldenhour.assistant import parameters
from goldenhour.assistant.answers import BegunUpload, PostAnswer, UploadAnswer
from goldenhour.assistant.workspace import Workspace
from goldenhour.models.answers import Media
from goldenhour.spoken.choosing import find_accounts
from goldenhour.spoken.editing import Changes, edit
from goldenhour.spoken.targets import make_targets


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
        post = self.workspace.client().posts.get(post_id)
        self.workspace.guard.require_untouched(post)
        changes = Changes(
            caption=caption,
            media_id=media_id,
            captions=captions or {},
            options=options or {},
            add=add_accounts or (),
            remove=remove_accounts or (),
        )
        return self.workspace.post(edit(self.workspace.client(), post, changes))


def _uploaded(media: Media) -> UploadAnswer:
    return UploadAnswer(media_id=media.id, file=media)
