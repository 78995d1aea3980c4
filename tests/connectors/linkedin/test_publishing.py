"""The LinkedIn connector over a strict fake: what it sends, as a page and as a member."""

from dataclasses import replace
from datetime import timedelta
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chalicelib.connectors.linkedin.post import LARGEST_VIDEO
from chalicelib.connectors.linkedin.text import escape_text, plain
from chalicelib.domain.outcome import Done, Failed, FailureCode
from chalicelib.kit.json_value import Json
from tests.connectors.linkedin.fake import _READABLE, MEMBER, PAGE
from tests.connectors.linkedin.rig import TEXT, LinkedInRig, a_rig
from tests.connectors.support.checks import ConnectorChecks
from tests.connectors.support.fake_platform import Answer, Fault, Value
from tests.connectors.support.rig import Rig, a_photo, a_publication, a_video
from tests.support.frozen_clock import NOON


class TestLinkedInPage(ConnectorChecks):
    """What every connector must pass, for an organization."""

    biggest: ClassVar[int] = LARGEST_VIDEO

    def make_rig(self) -> LinkedInRig:
        return a_rig(PAGE)


class TestLinkedInMember(ConnectorChecks):
    """What every connector must pass, for a member whose posts cannot be read."""

    def make_rig(self) -> LinkedInRig:
        return a_rig(MEMBER)

    def big_uploads(self, rig: Rig) -> dict[str, int]:
        """Leave it to the page."""
        del rig
        return {}


class TestPublishing:
    """What goes over the wire."""

    def test_a_text_goes_out_in_one_call(self, page: LinkedInRig) -> None:
        end = page.drive("text").run()

        assert isinstance(end, Done)
        assert end.url == f"https://www.linkedin.com/feed/update/{end.remote_id}/"
        call = page.platform.calls[0]
        assert call.name == "POST /rest/posts"
        assert call.headers["linkedin-version"] == "202609"
        assert call.headers["x-restli-protocol-version"] == "2.0.0"
        assert call.json == {
            "author": PAGE,
            "commentary": r"Rye \(fresh\) today at https://bakery.example/a\_b #bread",
            "visibility": "PUBLIC",
            "distribution": {
                "feedDistribution": "MAIN_FEED",
                "targetEntities": [],
                "thirdPartyDistributionChannels": [],
            },
            "lifecycleState": "PUBLISHED",
            "isReshareDisabledByAuthor": False,
        }
        assert plain(page.platform.posts[end.remote_id]["commentary"]) == TEXT

    def test_a_photo_is_opened_sent_and_named(self, page: LinkedInRig) -> None:
        end = page.drive("photo").run()

        assert isinstance(end, Done)
        opened, put, *looks, post = page.platform.calls
        assert opened.json == {"initializeUploadRequest": {"owner": PAGE}}
        assert (put.method, put.size) == ("PUT", 3_000)
        assert {look.path.rpartition("/")[0] for look in looks} == {"/rest/images"}
        asset = next(iter(page.platform.uploads.kept))
        assert post.json["content"] == {"media": {"id": asset, "altText": "a rocket on its pad"}}

    def test_a_members_photo_is_posted_unread(self, member: LinkedInRig) -> None:
        end = member.drive("photo").run()

        assert isinstance(end, Done)
        assert member.clock() - NOON == timedelta(seconds=15)

    def test_a_video_goes_up_in_the_parts_that_linkedin_asks_for(self, page: LinkedInRig) -> None:
        end = page.drive("video").run()

        assert isinstance(end, Done)
        assert end.remote_id.startswith("urn:li:ugcPost:")
        puts = [call for call in page.platform.calls if call.method == "PUT"]
        assert [put.size for put in puts] == [4_194_304, 4_194_304, 611_392]
        assert all("authorization" not in put.headers for put in puts)
        assert page.platform.calls[-1].json["content"]["media"]["title"] == "Launch"

    def test_addresses_that_ended_are_asked_for_anew_once(self, page: LinkedInRig) -> None:
        page.platform.uploads.expired_urls = 1

        end = page.drive("video").run()

        assert isinstance(end, Done)
        assert len(page.platform.uploads.kept) == 2

    def test_a_part_whose_place_is_no_number_is_an_unreadable_answer(
        self, page: LinkedInRig
    ) -> None:
        page.platform.uploads.wordy_places = True

        end = page.drive("video").run()

        assert isinstance(end, Done)
        assert len(page.platform.uploads.kept) == 2

    def test_a_video_that_waited_a_day_goes_up_again(self, page: LinkedInRig) -> None:
        drive = page.drive("video")
        while drive.checkpoint is None or drive.checkpoint.data.get("done") != 1:
            drive._step()
        page.clock.pass_time(timedelta(hours=23, minutes=56))

        end = drive.run()

        assert isinstance(end, Done)
        assert len(page.platform.uploads.kept) == 2

    def test_a_video_that_linkedin_cannot_use_fails_unseen(self, page: LinkedInRig) -> None:
        page.platform.uploads.failure = "UNSUPPORTED_FORMAT"

        end = page.drive("video").run()

        assert isinstance(end, Failed)
        assert end.code is FailureCode.PROCESSING_FAILED
        assert page.platform.posts == {}

    def test_a_fresh_file_that_is_out_of_bounds_is_tried_once_more(self, page: LinkedInRig) -> None:
        page.platform.denials = 1

        end = page.drive("photo").run()

        assert isinstance(end, Done)

    def test_a_lasting_denial_is_a_missing_permission(self, page: LinkedInRig) -> None:
        page.platform.denials = 2

        end = page.drive("photo").run()

        assert isinstance(end, Failed)
        assert end.code is FailureCode.PERMISSION_MISSING

    def test_the_largest_video_has_a_small_checkpoint(self, page: LinkedInRig) -> None:
        page.shapes = {"video": a_publication(page.account, "Long", a_video(LARGEST_VIDEO))}
        drive = page.drive("video")

        while drive.checkpoint is None or drive.checkpoint.step != "part":
            drive._step()

        assert len(str(drive.checkpoint.data["parts"])) < 5_000


class TestText:
    """Little text: nothing that a person wrote gets lost."""

    @pytest.mark.parametrize("sign", list(r"|{}@[]()<>#\*_~"))
    def test_every_reserved_sign_survives(self, page: LinkedInRig, sign: str) -> None:
        text = f"before {sign} after{sign}"
        page.shapes = {"text": a_publication(page.account, text)}

        end = page.drive("text").run()

        assert isinstance(end, Done)
        assert plain(page.platform.posts[end.remote_id]["commentary"]) == text

    @given(st.text(alphabet=st.characters(codec="utf-8")))
    def test_any_text_comes_back_whole(self, text: str) -> None:
        commentary = escape_text(text)

        shown = _READABLE.match(commentary)
        assert shown is not None
        assert shown[0] == commentary
        assert plain(commentary) == text

    def test_words_after_a_bare_sign_are_hashtags(self) -> None:
        assert escape_text("#bread and a#b (#c)") == r"#bread and a\#b \(\#c\)"

    def test_hashtags_are_read_as_linkedin_spells_them(self) -> None:
        assert plain(r"{hashtag|\#|bread} \(fresh\)") == "#bread (fresh)"


class TestOptions:
    """What the options of a target become."""

    def test_every_option_has_its_field(self, page: LinkedInRig) -> None:
        options: dict[str, Json] = {
            "visibility": "LOGGED_IN",
            "alt": ["a rocket", "unused"],
            "title": "Launch",
            "disable_reshare": True,
            "author": PAGE,
            "cta_label": "LEARN_MORE",
            "cta_url": "https://bakery.example/",
        }
        page.shapes = {"video": a_publication(page.account, "Hi", a_video(), options)}

        end = page.drive("video").run()

        assert isinstance(end, Done)
        body = page.platform.calls[-1].json
        asset = next(iter(page.platform.uploads.kept))
        assert body["visibility"] == "LOGGED_IN"
        assert body["content"]["media"] == {"id": asset, "altText": "a rocket", "title": "Launch"}
        assert body["contentCallToActionLabel"] == "LEARN_MORE"
        assert body["contentLandingPage"] == "https://bakery.example/"
        assert body["isReshareDisabledByAuthor"] is True

    @pytest.mark.parametrize(
        ("author", "options"),
        [
            (PAGE, {"author": "urn:li:organization:6"}),
            (PAGE, {"visibility": "CONNECTIONS"}),
            (PAGE, {"cta_label": "APPLY"}),
            (MEMBER, {"cta_label": "APPLY", "cta_url": "https://bakery.example/"}),
            (MEMBER, {"title": "Launch"}),
        ],
        ids=["another page", "a page's connections", "no address", "a member", "no video"],
    )
    def test_options_that_do_not_go_together_are_refused_unsent(
        self, author: str, options: dict[str, Json]
    ) -> None:
        rig = a_rig(author)

        outcome = rig.connector.start(a_publication(rig.account, "Hi", None, options))

        rig.platform.close()
        assert isinstance(outcome, Failed)
        assert outcome.code is FailureCode.INVALID_OPTIONS

    @pytest.mark.parametrize(
        ("media", "code"),
        [
            (a_video(LARGEST_VIDEO + 1), FailureCode.MEDIA_TOO_LARGE),
            (a_video(74_999), FailureCode.MEDIA_REJECTED),
            (replace(a_video(), mime="video/quicktime"), FailureCode.MEDIA_REJECTED),
            (replace(a_video(), duration_s=2.9), FailureCode.MEDIA_REJECTED),
            (replace(a_photo(), mime="image/webp"), FailureCode.MEDIA_REJECTED),
            (replace(a_photo(), width=7_000, height=6_000), FailureCode.MEDIA_TOO_LARGE),
        ],
        ids=["too large", "too small", "MOV", "too short", "WebP", "too many pixels"],
    )
    def test_files_that_linkedin_does_not_take_are_refused_unsent(
        self, page: LinkedInRig, media: object, code: FailureCode
    ) -> None:
        publication = replace(page.shapes["photo"], media=media)  # type: ignore[arg-type]

        outcome = page.connector.start(publication)

        assert isinstance(outcome, Failed)
        assert outcome.code is code


class TestMentions:
    """An @handle of the caption means a page or a person only where the option says so."""

    options: ClassVar[dict[str, Json]] = {
        "mentions": [
            {"handle": "@noras-bakery"},
            {"handle": "pia", "urn": "urn:li:person:p1a", "name": "Pia Test"},
        ]
    }

    def _publish(self, rig: LinkedInRig, text: str, options: dict[str, Json]) -> Value:
        rig.shapes = {"text": a_publication(rig.account, text, None, options)}
        self.end = rig.drive("text").run()
        (sent,) = [c.json for c in rig.platform.calls if c.name == "POST /rest/posts"]
        return sent["commentary"]

    def test_they_are_looked_up_once_and_named_in_little_text(self, page: LinkedInRig) -> None:
        text = "By @noras-bakery and @pia, not @noras-bakery2; again @noras-bakery!"

        commentary = self._publish(page, text, self.options)

        bakery = "@[Nora's \\(Bakery\\)](urn:li:organization:5005)"
        pia = "@[Pia Test](urn:li:person:p1a)"
        assert commentary == f"By {bakery} and {pia}, not \\@noras-bakery2; again {bakery}!"
        looked = [call for call in page.platform.calls if call.path == "/rest/organizations"]
        assert len(looked) == 1
        assert isinstance(self.end, Done)
        assert self.end.note is None

    def test_without_the_option_a_handle_is_plain_text(self, page: LinkedInRig) -> None:
        assert self._publish(page, "Hi @noras-bakery", {}) == "Hi \\@noras-bakery"

    def test_who_is_not_found_stands_as_written_and_is_told(self, member: LinkedInRig) -> None:
        member.platform.may_read = False

        commentary = self._publish(
            member, "Hi @noras-bakery", {"mentions": [{"handle": "noras-bakery"}]}
        )

        assert commentary == "Hi \\@noras-bakery"
        assert isinstance(self.end, Done)
        assert self.end.note is not None
        assert "noras-bakery" in self.end.note

    def test_a_lost_post_is_found_by_its_mentions(self, page: LinkedInRig) -> None:
        text = "By @noras-bakery and @pia"
        page.shapes = {"text": a_publication(page.account, text, None, self.options)}
        page.platform.strike(1, Fault.DROP_AFTER)

        end = page.drive("text").run()

        assert isinstance(end, Done)
        assert len(page.platform.posts) == 1

    def test_a_handle_that_the_caption_lacks_is_refused_before_the_clock(
        self, page: LinkedInRig
    ) -> None:
        page.shapes = {"text": a_publication(page.account, "Bread", None, self.options)}

        end = page.drive("text").run()

        assert isinstance(end, Failed)
        assert end.code is FailureCode.INVALID_OPTIONS
        assert page.platform.calls == []


def test_the_limit_of_the_day_is_waited_for_until_midnight() -> None:
    """learn.microsoft.com/linkedin/shared/api-guide/concepts/rate-limits: until 00:00 UTC."""
    rig = a_rig()
    throttled = {"status": 429, "code": "TOO_MANY_REQUESTS", "message": "Resource level throttle"}
    rig.platform.limited = Answer(429, throttled)
    rig.platform.strike(0, Fault.LIMITED)
    drive = rig.drive("text")

    end = drive.run()

    rig.platform.close()
    assert isinstance(end, Done)
    assert drive.refused is not None
    assert drive.refused.code == FailureCode.RATE_LIMITED
    assert drive.refused.retry_after is not None
    midnight = NOON.replace(hour=0) + timedelta(days=1)
    assert abs(NOON + drive.refused.retry_after - midnight) < timedelta(minutes=1)
