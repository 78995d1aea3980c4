"""How a post of ours is found on Picnic again: in the account's list, by photo or text."""

from datetime import datetime, timedelta

from chalicelib.connectors.connector import Posted, Publication
from chalicelib.connectors.picnic.api import PicnicApi
from chalicelib.connectors.shared.reconciliation import (
    all_posted,
    evidence_of_list,
    first_sent,
    is_same_text,
    noting_witness,
)
from chalicelib.domain.engine.absence import decide
from chalicelib.domain.outcome import Checkpoint, Done, Reconciliation, Sent
from chalicelib.domain.platforms.platform import Platform
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.responses import find, moment

_CLOCKS_DIFFER = timedelta(minutes=1)


def reconcile(
    api: PicnicApi, publication: Publication, checkpoint: Checkpoint, sent: Sent
) -> Reconciliation:
    """Return what became of a call, from the list of what the account posted since."""
    since = first_sent(checkpoint.data, sent.at) - _CLOCKS_DIFFER
    posts = api.get("me/posts", publication.account.token).require_list("posts")
    for post in posts:
        made = moment(find(post, "made"))
        if made is not None and made >= since and _is_ours(post, publication, checkpoint, sent):
            return done(str(find(post, "id")))
    looked = noting_witness(checkpoint, sent, (moment(find(post, "made")) for post in posts))
    evidence = evidence_of_list(Platform.PICNIC, publication, looked, sent)
    return decide(evidence, publication.now)


def list_since(api: PicnicApi, publication: Publication, since: datetime) -> list[Posted] | None:
    """Return what the account has posted since then."""

    def read(_: Json) -> tuple[list[Posted], Json]:
        posts = api.get("me/posts", publication.account.token).require_list("posts")
        shown = [
            Posted(live=done(str(find(post, "id"))), made=moment(find(post, "made")))
            for post in posts
        ]
        return shown, None

    return all_posted(read, since)


def done(post: str) -> Done:
    """Return a post that everybody sees."""
    return Done(remote_id=post, url=f"https://picnic.example/posts/{post}")


def _is_ours(post: Json, publication: Publication, checkpoint: Checkpoint, sent: Sent) -> bool:
    photo = checkpoint.data.get("photo")
    if publication.media is not None and photo is not None:
        return find(post, "photo") == photo
    has_photo = find(post, "photo") is not None
    return has_photo == (publication.media is not None) and is_same_text(
        find(post, "text"), sent.text
    )
