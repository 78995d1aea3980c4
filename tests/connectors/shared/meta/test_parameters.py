"""Every field that goes to Meta is one that Meta's own Python client names.

`fields.json` is read from its newest version (`make meta-fields`), in an environment of its own.
Threads has no such client, nor TikTok, nor LinkedIn: their fields are held against their pages.
"""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from chalicelib.connectors.connector import MediaFile
from chalicelib.connectors.facebook.post import feed_fields, finish_fields, photo_fields
from chalicelib.connectors.instagram.post import container_fields
from chalicelib.kit.json_value import Json
from tests.connectors.facebook import rig as facebook_rig
from tests.connectors.instagram import rig as instagram_rig
from tests.connectors.support.places import go_live
from tests.connectors.support.rig import a_photo, a_video

CLIENT = json.loads((Path(__file__).parent / "fields.json").read_text(encoding="utf-8"))
CALLS = {name: frozenset(fields) for name, fields in CLIENT["calls"].items()}
OPTIONS_OF_INSTAGRAM: dict[str, Json] = {
    "share_to_feed": True,
    "cover_offset_ms": 500,
    "collaborators": ["pia"],
    "alt_text": "a loaf",
    "user_tags": [{"username": "nora", "x": 0.5, "y": 0.5}],
    "location_id": "99",
    "first_comment": "Recipe below",
    "trial_reel": "MANUAL",
    "is_ai_generated": True,
    "is_paid_partnership": True,
    "sponsors": ["17841400000000009"],
    "cover_media_id": "a-photo",
}


@pytest.mark.parametrize("media", [a_photo(), a_video()], ids=["photo", "reel"])
@pytest.mark.parametrize("post_type", [None, "story"])
def test_a_containers_fields_are_those_of_metas_client(
    media: MediaFile, post_type: str | None
) -> None:
    rig = instagram_rig.a_rig()
    rig.platform.close()
    options = {**OPTIONS_OF_INSTAGRAM, "post_type": post_type}
    covered = replace(media, poster=a_photo()) if media.duration_s is not None else media
    publication = replace(rig.shapes["photo"], media=covered, options=options)

    fields = container_fields(publication, {"image_url": "https://…"}, has_places=True)

    assert set(fields) - CALLS["iguser.create_media"] == set()


def test_what_finishes_a_reel_are_fields_of_metas_client() -> None:
    rig = facebook_rig.a_rig(videos=True)
    rig.platform.close()
    options: dict[str, Json] = {"title": "Rye", "place_id": "9", "targeting_countries": ["AT"]}

    fields = finish_fields(replace(rig.shapes["video"], options=options), {"video": "4000004"})

    assert set(fields) - CALLS["page.create_video_reel"] == set()
    assert {"title", "place", "targeting"} < set(fields)


@pytest.mark.parametrize("shape", ["photo", "video", "story"])
def test_metrics_are_those_of_metas_client(shape: str) -> None:
    rig = instagram_rig.a_rig()
    live = go_live(rig, shape)

    rig.connector.metrics([live])
    rig.platform.close()

    asked = [call.query["metric"] for call in rig.platform.calls if "metric" in call.query]
    assert len(asked) == 1
    assert set(asked[0].split(",")) - set(CLIENT["metrics"]) == set()


def test_a_page_posts_and_photos_fields_are_those_of_metas_client() -> None:
    rig = facebook_rig.a_rig()
    rig.platform.close()
    options: dict[str, Json] = {
        "place_id": "9",
        "targeting_countries": ["AT"],
        "alt_text": "a loaf",
        "link": "https://example.com",
    }
    text = replace(rig.shapes["text"], options=options)
    photo = replace(rig.shapes["photo"], options=options)

    post, shown = feed_fields(text, None), feed_fields(photo, "77")

    assert (set(post) | set(shown)) - CALLS["page.create_feed"] == set()
    assert {name for name, _ in photo_fields(photo)} - CALLS["page.create_photo"] == set()
    assert {"attached_media", "place", "targeting", "link", "message"} <= set(post) | set(shown)


def test_a_field_that_meta_does_not_know_fails_here() -> None:
    assert "alt" not in CALLS["iguser.create_media"]
    assert CLIENT["facebook-business"] >= "26.0.3"
