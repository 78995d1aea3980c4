"""Every option, by every sign-in and with every kind of file: it is sent, or `check` names it.

A post is published twice, with the option and without. If `check` says nothing, the requests that
left must differ; if it says that the post goes out without the option, they must be the same.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial

import pytest

from chalicelib.connectors.connector import Publication
from chalicelib.connectors.shared.prechecks import omitted_options, refusal_ahead
from chalicelib.domain.outcome import Done
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.option import ContentKind, Fields, Option
from chalicelib.domain.platforms.option_rules import (
    Choice,
    Flag,
    Link,
    Many,
    Number,
    OneOrMany,
    Rule,
)
from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.kit.json_value import Json
from tests.connectors.instagram.rig import a_rig as instagram
from tests.connectors.linkedin.fake import MEMBER
from tests.connectors.linkedin.rig import a_rig as linkedin
from tests.connectors.reddit.fake import FLAIR_ID
from tests.connectors.support.every_rig import a_rig_for
from tests.connectors.support.fake_platform import Received
from tests.connectors.support.rig import Rig, a_photo
from tests.connectors.tiktok.fake import FakeTikTok

OF_THE_FRAME = {"trim", "crop", "fit"}
"""What becomes of the file before a connector sees it."""

Options = Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class World:
    """A platform, one of its sign-ins, and what is posted there."""

    platform: Platform
    make: Callable[[], Rig]
    shape: str


def _drafting(shape: str) -> Rig:
    """Return TikTok's rig for drafts, which need a permission of their own."""
    rig = a_rig_for(Platform.TIKTOK, shape)
    assert isinstance(rig.platform, FakeTikTok)
    rig.platform.granted += ",video.upload"
    draft: Options = {**rig.shapes[shape].options, "draft": True}
    rig.shapes = {shape: replace(rig.shapes[shape], options=draft)}
    return rig


def _shapes(platform: Platform) -> list[str]:
    """Return the shapes that a platform's page allows, and those that only it has."""
    facts = FACTS[platform]
    allowed = {
        "text": not facts.limits.needs_media,
        "photo": facts.photos is not None,
        "video": facts.videos is not None,
    }
    return [*(shape for shape, is_taken in allowed.items() if is_taken), *OWN.get(platform, ())]


OWN: Mapping[Platform, tuple[str, ...]] = {
    Platform.INSTAGRAM: ("story",),
    Platform.FACEBOOK: ("story", "film"),
    Platform.GOOGLE_BUSINESS_PROFILE: ("event", "offer"),
}


def _worlds() -> dict[str, World]:
    worlds = {
        f"{platform} {shape}": World(platform, partial(a_rig_for, platform, shape), shape)
        for platform in Platform
        for shape in _shapes(platform)
    }
    by_facebook, as_member = partial(instagram, by_facebook=True), partial(linkedin, MEMBER)
    worlds["instagram by facebook"] = World(Platform.INSTAGRAM, by_facebook, "video")
    worlds["linkedin member"] = World(Platform.LINKEDIN, as_member, "text")
    worlds["tiktok draft video"] = World(Platform.TIKTOK, partial(_drafting, "video"), "video")
    worlds["tiktok draft photo"] = World(Platform.TIKTOK, partial(_drafting, "photo"), "photo")
    return worlds


WORLDS = _worlds()


BESIDE: Mapping[str, Options] = {
    "branded_content": {"disclose_commercial": True, "your_brand": True},
    "your_brand": {"disclose_commercial": True, "branded_content": True},
    "disclose_commercial": {"your_brand": True},
    "flair_text": {"flair_id": FLAIR_ID},
    "cta_url": {"cta_label": "LEARN_MORE"},
    "cta_label": {"cta_url": "https://bakery.example/menu"},
    "sponsors": {"is_paid_partnership": True},
    "share_with_followers": {"community_id": "1146654567674912769"},
}
"""What an option is nothing without, by its name: it stands beside it in both posts."""

VALUES: Mapping[str, Json] = {
    "author": "urn:li:organization:5515715",
    "board": "77000002",
    "board_section": "5000002",
    "category": "24",
    "community_id": "1146654567674912769",
    "countries": ["DE"],
    "cta_label": "LEARN_MORE",
    "cta_url": "https://bakery.example/menu",
    "dominant_color": "#112233",
    "flair_id": FLAIR_ID,
    "language": "de",
    "kind": "link",
    "langs": ["de"],
    "link": "https://bakery.example/menu",
    "mentions": [{"handle": "bakery", "urn": "urn:li:organization:5515715", "name": "Bakery"}],
    "playlist": "PLspelt",
    "post_type": "story",
    "privacy_level": "SELF_ONLY",
    "quote_post_id": "19901",
    "reply_rules": ["mentioned", "followers"],
    "reply_to_post_id": "19902",
    "subreddit": "baking",
    "tags": ["rye"],
    "targeting_countries": ["DE"],
    "user_tags": [{"username": "nora", "x": 0.5, "y": 0.5}],
    "video_captions": [{"language": "de", "text": "WEBVTT"}],
}


def _value(option: Option, asked: Options) -> Json:
    """Return a value of an option: one that the rig's platform knows, where not any will do."""
    known = {**asked, **VALUES}
    if option.name in known:
        return known[option.name]
    return _of_rule(option.rule, option.default)


def _of_rule(rule: Rule, default: Json = None) -> Json:  # noqa: PLR0911 - one line for each
    match rule:
        case Flag():
            return default is not True
        case Choice():
            return next(value for value in rule.values if value != default)
        case Number():
            return 2
        case Link():
            return "https://bakery.example/menu"
        case Many() | OneOrMany():
            return [_of_rule(rule.of)]
        case Fields():
            return {field.name: _of_rule(field.rule) for field in rule.of}
        case _:
            return "6100000001"


def _carries(publication: Publication) -> ContentKind:
    if publication.media is None:
        return ContentKind.TEXT
    return ContentKind.PHOTO if publication.media.kind is MediaKind.IMAGE else ContentKind.VIDEO


@cache
def _rig(name: str) -> Rig:
    """Return a world's rig to read from; nobody calls its platform."""
    rig = WORLDS[name].make()
    rig.platform.close()
    return rig


@cache
def _sent(name: str, asked: str, *, poster: bool = False) -> tuple[object, list[object]]:
    """Publish with these options alone; return the end and all that left."""
    world, options = WORLDS[name], json.loads(asked)
    rig = world.make()
    publication = rig.shapes[world.shape]
    media = publication.media
    if poster and media is not None:
        media = replace(media, poster=a_photo(2_000))
    text = f"{publication.text}\n\n*Rye*" if "markdown" in options else publication.text
    rig.shapes = {world.shape: replace(publication, options=options, media=media, text=text)}
    refused = refusal_ahead(rig.connector, rig.shapes[world.shape])
    end: object = refused if refused is not None else rig.drive(world.shape).run()
    rig.platform.close()
    port = rig.platform.url.rpartition(":")[2]
    return end, [_plain(call, port) for call in rig.platform.calls]


def _plain(call: Received, port: str) -> tuple[str, str, str, str]:
    """Return a call without what differs between two equal ones."""
    _, _, boundary = call.headers.get("content-type", "").partition("boundary=")
    body = call.body.decode("latin-1").replace(boundary or "\0", "-")
    body = re.sub(f"(:|%3A){port}", r"\1", body)  # a photo of ours has 34567 in it, too
    digest = call.digest if call.size > len(call.body) and not boundary else ""
    return call.name, str(sorted(call.query.items())), body, digest


ELSEWHERE = {
    ("tiktok video", "allow_stitch"): "the creator's own settings: test_abilities.py",
    ("linkedin text", "link"): "no_preview: the page cannot be read",
    ("linkedin member", "link"): "no_preview",
    ("bluesky text", "link"): "no_preview",
}
"""What is named by another part of the check than the declaration, and where that is shown."""

WORLDS_OWN = {
    "tiktok video": ("draft",),
    "tiktok photo": ("draft",),
    "tiktok draft video": ("draft", "privacy_level"),
    "tiktok draft photo": ("draft", "privacy_level"),
    "reddit video": ("cover_media_id",),
}
"""What makes the world (another sign-in), and what a draft has because nothing is sent without.

Reddit's videos always have a still; which one that is the frame decides.
"""

CASES = [
    (name, option)
    for name, world in WORLDS.items()
    for option in FACTS[world.platform].options
    if option.name not in OF_THE_FRAME and option.name not in WORLDS_OWN.get(name, ())
]


@pytest.mark.parametrize(("name", "option"), CASES, ids=[f"{n} {o.name}" for n, o in CASES])
def test_an_option_is_sent_or_named_by_check(name: str, option: Option) -> None:
    rig = _rig(name)
    publication = rig.shapes[WORLDS[name].shape]
    without = {**publication.options, **BESIDE.get(option.name, {})}
    without.pop(option.name, None)
    asked = {**without, option.name: _value(option, publication.options)}

    why = option.why_ignored(_carries(publication), asked, rig.tokens.extra.get("login"))
    why = why or omitted_options(rig.connector, replace(publication, options=asked)).get(
        option.name
    )
    why = why or ELSEWHERE.get((name, option.name))
    end, calls = _sent(
        name, json.dumps(asked), poster=option.name in {"cover_second", "cover_media_id"}
    )
    _, others = _sent(name, json.dumps(without))

    if why is not None:
        assert calls == others, why
    elif isinstance(end, Done):
        assert calls != others, "It was dropped without a word."
    else:
        assert not calls, f"{end}: the platform refused what check lets pass."
