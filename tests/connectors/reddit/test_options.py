"""What the options and the caption of a target become on Reddit, and what is refused unsent."""

from dataclasses import replace

import pytest

from chalicelib.connectors.connector import MediaFile
from chalicelib.connectors.reddit.post import LARGEST_PHOTO, LARGEST_VIDEO
from chalicelib.domain.outcome import Done, Failed, FailureCode, Outcome
from chalicelib.kit.json_value import Json
from tests.connectors.reddit.fake import FLAIR_ID
from tests.connectors.reddit.rig import COMMON, IN_TEST, RedditRig, a_film
from tests.connectors.support.rig import a_photo, a_publication, a_video


class TestOptions:
    """What the options of a target become."""

    def test_every_option_has_its_field(self, rig: RedditRig) -> None:
        options: dict[str, Json] = {
            "subreddit": "r/test",
            "title": "Launch\nday",
            "flair_id": FLAIR_ID,
            "flair_text": "News",
            "nsfw": True,
            "spoiler": True,
            "send_replies": False,
        }
        rig.shapes = {"text": a_publication(rig.account, "Line one\nLine two", None, options)}

        end = rig.drive("text").run()

        assert isinstance(end, Done)
        said = {"nsfw": "true", "spoiler": "true", "sendreplies": "false"}
        flair = {"flair_id": FLAIR_ID, "flair_text": "News"}
        texts = {"kind": "self", "title": "Launch day", "text": "Line one  \nLine two"}
        assert rig.platform.calls[0].form == {**COMMON, **said, **flair, **texts}

    @pytest.mark.parametrize(
        ("named", "community"),
        [("/r/test/", "test"), ("u/fakeuser", "u_fakeuser"), ("u_fake-user", "u_fake-user")],
    )
    def test_communities_are_named_in_many_ways(
        self, rig: RedditRig, named: str, community: str
    ) -> None:
        rig.shapes = {"text": a_publication(rig.account, "Rye", None, {"subreddit": named})}

        rig.drive("text").run()

        assert rig.platform.calls[0].form["sr"] == community

    def test_a_first_line_that_is_too_long_for_a_title_stays_in_the_text(
        self, rig: RedditRig
    ) -> None:
        line = "bread " * 60
        rig.shapes = {"text": a_publication(rig.account, f"{line}\nend", None, IN_TEST)}

        rig.drive("text").run()

        form = rig.platform.calls[0].form
        assert form["title"] == ("bread " * 50).strip()
        assert form["text"] == f"{line.strip()}  \nend"

    def test_a_file_can_have_a_text_below_it(self, rig: RedditRig) -> None:
        rig.shapes = {"photo": a_publication(rig.account, "Harbour\nAt dawn", a_photo(), IN_TEST)}

        rig.drive("photo").run()

        assert rig.platform.calls[2].form["text"] == "At dawn"

    def test_a_link_alone_makes_a_link_post(self, rig: RedditRig) -> None:
        options: dict[str, Json] = {**IN_TEST, "link": "https://bakery.example/"}
        rig.shapes = {"link": a_publication(rig.account, "Menu", None, options)}

        rig.drive("link").run()

        assert rig.platform.calls[0].form["kind"] == "link"


class TestRefusedAhead:
    """What is refused before anything is sent."""

    @pytest.mark.parametrize(
        ("text", "media", "options"),
        [
            ("Rye", None, {"subreddit": ""}),
            ("Rye", None, {"subreddit": "no community"}),
            ("", a_photo(), {}),
            ("", a_photo(), {"title": " "}),
            ("Rye", a_photo(), {"kind": "self"}),
            ("Rye", a_photo(), {"kind": "video"}),
            ("Rye", a_photo(), {"kind": "link", "link": "https://a.example/"}),
            ("Rye", a_photo(), {"link": "https://a.example/"}),
            ("Rye", None, {"kind": "image"}),
            ("Rye", None, {"kind": "link"}),
            ("Rye", None, {"kind": "link", "link": "ftp://a.example/"}),
            ("Rye", None, {"kind": "link", "link": "https://["}),
            ("Rye", None, {"kind": "self", "link": "https://a.example/"}),
            ("Rye", None, {"flair_text": "News"}),
            ("Rye", None, {"flair_id": "news"}),
        ],
        ids=str,
    )
    def test_options_that_do_not_fit(
        self, rig: RedditRig, text: str, media: MediaFile | None, options: dict[str, Json]
    ) -> None:
        publication = a_publication(rig.account, text, media, {**IN_TEST, **options})

        outcome = rig.connector.start(publication)

        assert _code(outcome) is FailureCode.INVALID_OPTIONS
        assert rig.platform.calls == []

    @pytest.mark.parametrize(
        ("media", "code"),
        [
            (a_photo(LARGEST_PHOTO + 1), FailureCode.MEDIA_TOO_LARGE),
            (replace(a_film(), size_bytes=LARGEST_VIDEO + 1), FailureCode.MEDIA_TOO_LARGE),
            (replace(a_photo(), mime="image/webp"), FailureCode.MEDIA_REJECTED),
            (a_video(), FailureCode.PROCESSING_FAILED),
        ],
        ids=["large photo", "large video", "webp", "no still"],
    )
    def test_files_that_do_not_fit(
        self, rig: RedditRig, media: MediaFile, code: FailureCode
    ) -> None:
        outcome = rig.connector.start(a_publication(rig.account, "Rye", media, IN_TEST))

        assert _code(outcome) is code
        assert rig.platform.calls == []


def _code(outcome: Outcome) -> str | None:
    return outcome.code if isinstance(outcome, Failed) else None
