"""What is written into a Bluesky repository: the post, and the gates that go with it.

A post's key is ours to choose, so it follows from the target: writing the same record under the
same key twice makes one post. Keys are TIDs (atproto.com/specs/tid): microseconds and a clock id
in base 32.
"""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import datetime

from chalicelib.connectors.connector import MediaFile, Publication
from chalicelib.domain.platforms.platform import MediaKind
from chalicelib.domain.platforms.texts.bluesky_facets import facets
from chalicelib.kit.json_value import Json

POST = "app.bsky.feed.post"
THREADGATE = "app.bsky.feed.threadgate"
POSTGATE = "app.bsky.feed.postgate"
_ALPHABET = "234567abcdefghijklmnopqrstuvwxyz"
_RULES = {"mentioned": "mentionRule", "followers": "followerRule", "following": "followingRule"}


def record_key(publication: Publication) -> str:
    """Return the target's own key, which neither its time nor its text changes.

    atproto.com/specs/tid: microseconds and a clock's number. The target's id has the millisecond in
    which it was drafted in its first 48 bits; what else tells it from others is drawn from it.
    """
    return _tid(publication.target_id, publication.target_id)


def comment_key(publication: Publication) -> str:
    """Return the key of the target's first comment, as steady as its own."""
    return _tid(publication.target_id, f"{publication.target_id}#first_comment")


def _tid(target_id: str, seeded_by: str) -> str:
    seed = int.from_bytes(hashlib.sha256(seeded_by.encode()).digest()[:8], "big")
    millisecond = int(target_id[:12], 16)
    number = ((millisecond * 1_000 + seed % 1_000) << 10) | (seed >> 40) & 1023
    return "".join(_ALPHABET[number >> shift & 31] for shift in range(60, -1, -5))


def format_time(at: datetime) -> str:
    """Spell a time as records have it."""
    return at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03}Z"


def post_record(
    publication: Publication,
    people: Mapping[str, str],
    blob: Json,
    subtitles: Sequence[Json] = (),
) -> dict[str, Json]:
    """Return the post's record; `blob` is the uploaded file as the server described it."""
    options = publication.options
    record: dict[str, Json] = {
        "$type": POST,
        "text": publication.text,
        "createdAt": format_time(max(publication.due_at, publication.now)),
    }
    found = facets(publication.text, people)
    if found:
        record["facets"] = found
    languages = options.get("langs") or [*publication.account.languages]
    if languages:
        record["langs"] = languages
    if options.get("tags"):
        record["tags"] = options["tags"]
    labels = options.get("labels")
    if isinstance(labels, list) and labels:
        values: list[Json] = [{"val": label} for label in labels]
        record["labels"] = {"$type": "com.atproto.label.defs#selfLabels", "values": values}
    if publication.media is not None:
        embed = _embed(publication.media, publication.alt, blob)
        record["embed"] = {**embed, "captions": list(subtitles)} if subtitles else embed
    return record


def _embed(media: MediaFile, alt: str, blob: Json) -> dict[str, Json]:
    ratio: Json = {"width": media.width, "height": media.height}
    if media.kind is MediaKind.VIDEO:
        return {"$type": "app.bsky.embed.video", "video": blob, "alt": alt, "aspectRatio": ratio}
    image: Json = {"image": blob, "alt": alt, "aspectRatio": ratio}
    return {"$type": "app.bsky.embed.images", "images": [image]}


def card_embed(data: Mapping[str, Json]) -> Json:
    """Return a link's preview as a post shows it, None for a post without one."""
    card, thumb = data.get("card"), data.get("thumbnail")
    if not isinstance(card, dict):
        return None
    external: dict[str, Json] = {
        "uri": card["url"],
        "title": card["title"],
        "description": card["description"],
    }
    if thumb is not None:
        external["thumb"] = thumb
    return {"$type": "app.bsky.embed.external", "external": external}


def _reply_rules(options: Mapping[str, Json]) -> list[Json] | None:
    """Return who may answer, None for everybody; of several rules each one suffices."""
    several, settings = options.get("reply_rules"), options.get("reply_settings")
    if isinstance(several, list) and several:
        named = [str(rule) for rule in several]
    elif settings == "nobody" or settings in _RULES:
        named = [str(settings)]
    else:
        return None
    rules: list[Json] = [
        {"$type": f"{THREADGATE}#{rule}"} for name, rule in _RULES.items() if name in named
    ]
    lists: list[Json] = [
        {"$type": f"{THREADGATE}#listRule", "list": uri} for uri in named if uri.startswith("at://")
    ]
    return [*rules, *lists]


def gates(options: Mapping[str, Json], uri: str, created_at: Json) -> dict[str, Json]:
    """Return the records beside the post, by collection: who may answer, and who may quote."""
    found: dict[str, Json] = {}
    allow = _reply_rules(options)
    if allow is not None:
        gate: Json = {"$type": THREADGATE, "post": uri, "allow": allow, "createdAt": created_at}
        found[THREADGATE] = gate
    if options.get("disable_quotes") is True:
        rules: list[Json] = [{"$type": f"{POSTGATE}#disableRule"}]
        found[POSTGATE] = {
            "$type": POSTGATE,
            "post": uri,
            "embeddingRules": rules,
            "createdAt": created_at,
        }
    return found
