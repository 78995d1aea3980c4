"""Every field that goes to Meta is one that Meta's own Python client names.

The lists are those of facebook-business 25.0.2: `create_media` of iguser.py, `create_video_reel`
and `create_photo_story` of page.py, and the metrics of instagraminsightsresult.py.
"""

from dataclasses import replace

import pytest

from chalicelib.connectors.connector import MediaFile
from chalicelib.connectors.facebook.post import finish_fields
from chalicelib.connectors.instagram.post import container_fields
from chalicelib.kit.json_value import Json
from tests.connectors.facebook import rig as facebook_rig
from tests.connectors.instagram import rig as instagram_rig
from tests.connectors.support.places import go_live
from tests.connectors.support.rig import a_photo, a_video

IG_MEDIA = """
    alt_text audio_configuration audio_name branded_content_sponsor_ids caption children
    collaborators cover_url image_url is_carousel_item is_paid_partnership location_id media_type
    product_tags share_to_feed thumb_offset trial_params upload_type user_tags video_url
"""
VIDEO_REELS = """
    description feed_targeting place scheduled_publish_time targeting title upload_phase video_id
    video_state
"""
INSIGHTS = """
    comments content_views crossposted_views facebook_views follows ig_reels_avg_watch_time
    ig_reels_video_view_total_time impressions likes link_clicks navigation profile_activity
    profile_visits reach reels_skip_rate replies reposts saved shares total_comments
    total_interactions total_likes total_views views
"""
NEWER_THAN_THE_CLIENT = {"is_ai_generated"}
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
}


@pytest.mark.parametrize("media", [a_photo(), a_video()], ids=["photo", "reel"])
@pytest.mark.parametrize("post_type", [None, "story"])
def test_a_containers_fields_are_those_of_metas_client(
    media: MediaFile, post_type: str | None
) -> None:
    rig = instagram_rig.a_rig()
    rig.platform.close()
    options = {**OPTIONS_OF_INSTAGRAM, "post_type": post_type}
    publication = replace(rig.shapes["photo"], media=media, options=options)

    fields = container_fields(publication, {"image_url": "https://…"}, has_places=True)

    assert set(fields) - set(IG_MEDIA.split()) - NEWER_THAN_THE_CLIENT == set()


def test_what_finishes_a_reel_are_fields_of_metas_client() -> None:
    rig = facebook_rig.a_rig(videos=True)
    rig.platform.close()
    options: dict[str, Json] = {"title": "Rye", "place_id": "9", "targeting_countries": ["AT"]}

    fields = finish_fields(replace(rig.shapes["video"], options=options), {"video": "4000004"})

    assert set(fields) - set(VIDEO_REELS.split()) == set()
    assert {"title", "place", "targeting"} < set(fields)


@pytest.mark.parametrize("shape", ["photo", "video", "story"])
def test_metrics_are_those_of_metas_client(shape: str) -> None:
    rig = instagram_rig.a_rig()
    live = go_live(rig, shape)

    rig.connector.metrics([live])
    rig.platform.close()

    asked = [call.query["metric"] for call in rig.platform.calls if "metric" in call.query]
    assert len(asked) == 1
    assert set(asked[0].split(",")) - set(INSIGHTS.split()) == set()
