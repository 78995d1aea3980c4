"""What the Pinterest connector refuses by itself, and what it makes of Pinterest's own refusals."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from requests.structures import CaseInsensitiveDict

from chalicelib.connectors.connector import MediaFile, Publication
from chalicelib.connectors.pinterest.errors import error_codes
from chalicelib.connectors.pinterest.post import LARGEST_PHOTO, LARGEST_VIDEO, LONGEST_LINK
from chalicelib.domain.outcome import Done, Failed, FailureCode, Outcome, Wait
from chalicelib.domain.workspace.accounts import Health
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.responses import PlatformResponse
from tests.connectors.pinterest.fake import BOARD
from tests.connectors.pinterest.rig import ON_BOARD, TEXT, PinterestRig
from tests.connectors.support.fake_platform import Answer, Value
from tests.connectors.support.rig import a_photo, a_publication, a_video
from tests.support.frozen_clock import NOON

NEEDS_BOARD = "Pinterest needs `board` in the options: the id of a board, digits only."
LINK = f"`link` must be a full http(s) address of at most {LONGEST_LINK} characters."
SPAM = "Sorry! You've hit a block (Pins) we have in place to combat spam. Please try again later."


class TestOptions:
    """What is known to be wrong is never sent."""

    @pytest.mark.parametrize(
        ("options", "sentence"),
        [
            ({}, NEEDS_BOARD),
            ({"board": ""}, NEEDS_BOARD),
            ({"board": "Harbours"}, NEEDS_BOARD),
            ({"board": "77000001 "}, NEEDS_BOARD),
            ({"board": "\N{ARABIC-INDIC DIGIT SEVEN}"}, NEEDS_BOARD),
            (
                {"board_section": "Sails", **ON_BOARD},
                "`board_section` is the id of a section of the board, digits only.",
            ),
            ({"link": "shop.example/harbour", **ON_BOARD}, LINK),
            ({"link": "ftp://shop.example/harbour", **ON_BOARD}, LINK),
            ({"link": "https://", **ON_BOARD}, LINK),
            ({"link": "https://shop.example/a harbour", **ON_BOARD}, LINK),
            ({"link": "https://[shop", **ON_BOARD}, LINK),
            ({"link": f"https://shop.example/{'a' * LONGEST_LINK}", **ON_BOARD}, LINK),
        ],
    )
    def test_options_that_pinterest_cannot_take_are_refused_unsent(
        self, rig: PinterestRig, options: dict[str, Json], sentence: str
    ) -> None:
        outcome = rig.connector.start(a_publication(rig.account, TEXT, a_photo(), options))

        assert outcome == Failed(code=FailureCode.INVALID_OPTIONS, message=sentence, final=True)
        assert rig.platform.calls == []

    def test_who_names_no_board_is_told_those_of_the_account(self, rig: PinterestRig) -> None:
        boards: list[Json] = [{"id": BOARD, "name": "Harbours"}, {"id": "2", "name": "Sails"}]
        account = replace(rig.account, settings={"boards": boards})

        outcome = rig.connector.start(a_publication(account, TEXT, a_photo(), {"board": "Sails"}))

        assert isinstance(outcome, Failed)
        told = f"When the account was connected there were: {BOARD} (Harbours), 2 (Sails)."
        assert outcome.message == f"{NEEDS_BOARD} {told}"

    @pytest.mark.parametrize("link", ["http://shop.example", "https://shop.example/ä?b=c#d"])
    def test_a_whole_address_may_be_a_link(self, rig: PinterestRig, link: str) -> None:
        options: dict[str, Json] = {**ON_BOARD, "link": link}

        outcome = rig.connector.start(a_publication(rig.account, TEXT, a_photo(), options))

        assert isinstance(outcome, Wait)


class TestFiles:
    """What is known of a file before it is sent."""

    @pytest.mark.parametrize(
        ("media", "code", "sentence"),
        [
            (
                replace(a_photo(), mime="image/webp"),
                FailureCode.MEDIA_REJECTED,
                "Pinterest accepts JPEG and PNG photos.",
            ),
            (
                replace(a_photo(), height=99),
                FailureCode.MEDIA_REJECTED,
                "Pinterest does not accept photos with a side under 100 pixels.",
            ),
            (
                a_photo(LARGEST_PHOTO + 1),
                FailureCode.MEDIA_TOO_LARGE,
                "The file is larger than Pinterest allows. Make it smaller.",
            ),
            (
                replace(a_video(), duration_s=3.9),
                FailureCode.MEDIA_REJECTED,
                "Pinterest does not accept videos under 4 seconds.",
            ),
            (
                replace(a_video(), duration_s=900.5),
                FailureCode.VIDEO_TOO_LONG,
                "Pinterest does not accept videos over 15 minutes.",
            ),
            (
                replace(a_video(), width=1_920, height=1_000),
                FailureCode.MEDIA_REJECTED,
                "Pinterest accepts videos no wider than 1.91:1 and no taller than 1:2.",
            ),
            (
                replace(a_video(), width=530, height=1_080),
                FailureCode.MEDIA_REJECTED,
                "Pinterest accepts videos no wider than 1.91:1 and no taller than 1:2.",
            ),
            (
                a_video(LARGEST_VIDEO + 1),
                FailureCode.MEDIA_TOO_LARGE,
                "The file is larger than Pinterest allows. Make it smaller.",
            ),
        ],
        ids=["webp", "small", "large", "short", "long", "wide", "tall", "large video"],
    )
    def test_a_file_that_pinterest_cannot_take_is_refused_unsent(
        self, rig: PinterestRig, media: MediaFile, code: FailureCode, sentence: str
    ) -> None:
        outcome = rig.connector.start(_with(rig, media))

        assert outcome == Failed(code=code, message=sentence, final=True)
        assert rig.platform.calls == []

    @pytest.mark.parametrize(
        "media",
        [
            replace(a_photo(LARGEST_PHOTO), mime="image/png", width=100, height=100),
            replace(a_video(LARGEST_VIDEO), duration_s=4.0, width=1_910, height=1_000),
            replace(a_video(), duration_s=900.0, width=540, height=1_080),
            replace(a_video(), duration_s=None),
        ],
        ids=["photo", "wide", "tall", "of unknown length"],
    )
    def test_the_bounds_themselves_are_taken(self, rig: PinterestRig, media: MediaFile) -> None:
        assert isinstance(rig.connector.start(_with(rig, media)), Wait)

    def test_a_pin_needs_a_file(self, rig: PinterestRig) -> None:
        outcome = rig.connector.start(a_publication(rig.account, TEXT, None, ON_BOARD))

        assert _code(outcome) is FailureCode.MEDIA_REJECTED


class TestAnswers:
    """What Pinterest refuses, by status and number and never by what a message happens to hold."""

    @pytest.mark.parametrize(
        ("status", "body", "code"),
        [
            (404, {"code": 40, "message": "Board not found."}, FailureCode.INVALID_OPTIONS),
            (404, {"code": 404, "message": "Board not found."}, FailureCode.INVALID_OPTIONS),
            (404, {"code": 2031, "message": "No section."}, FailureCode.INVALID_OPTIONS),
            (403, {"code": 7, "message": "Not authorized."}, FailureCode.PERMISSION_MISSING),
            (401, {"code": 3, "message": "Scopes."}, FailureCode.PERMISSION_MISSING),
            (403, {"code": 2625, "message": "Disapproved."}, FailureCode.ACCOUNT_RESTRICTED),
            (429, {"code": 9, "message": SPAM}, FailureCode.ACCOUNT_RESTRICTED),
            (
                429,
                {"code": 9, "message": "No.", "message_detail": "It looks like Spam!"},
                FailureCode.ACCOUNT_RESTRICTED,
            ),
            (
                400,
                {"code": 1, "message": "Parameter 'title' was too long"},
                FailureCode.CAPTION_REJECTED,
            ),
            (
                400,
                {"code": 1, "message": "Invalid request: {'title': 'Harbour', 'link': 'no'}"},
                FailureCode.UNKNOWN,
            ),
        ],
    )
    def test_a_refused_pin_fails_for_its_reason_and_is_not_looked_for(
        self, rig: PinterestRig, status: int, body: dict[str, Value], code: FailureCode
    ) -> None:
        rig.platform.refusals["create"] = Answer(status, body)

        end = rig.drive("photo").run()

        assert isinstance(end, Failed)
        assert end.code == code
        assert len(rig.platform.calls) == 1
        assert rig.store.health is Health.OK

    def test_a_missing_scope_is_not_taken_for_an_expired_token(self, rig: PinterestRig) -> None:
        """Both come as 401: a new token would have the same scopes."""
        rig.platform.refusals["create"] = Answer(401, {"code": 3, "message": "Scopes."})

        rig.drive("photo").run()

        assert rig.store.history == []

    @pytest.mark.parametrize(
        ("headers", "least_s", "most_s"), [({"Retry-After": "7"}, 7, 59), ({}, 60, 120)]
    )
    def test_a_limit_lasts_as_long_as_pinterest_says_or_a_minute(
        self, rig: PinterestRig, headers: dict[str, str], least_s: int, most_s: int
    ) -> None:
        said = {"code": 8, "message": "This request exceeded a rate limit."}
        rig.platform.refusals["create"] = Answer(429, said, headers)
        drive = rig.drive("photo")
        drive._step()
        drive._step()
        rig.platform.refusals.clear()

        end = drive.run()

        assert isinstance(end, Done)
        assert timedelta(seconds=least_s) <= rig.clock() - NOON <= timedelta(seconds=most_s)

    @pytest.mark.parametrize(
        ("message", "field"),
        [
            ("Whoops! It looks like you entered an invalid URL. Try again.", "link"),
            ("Sorry! You entered an invalid url", "link"),
            ("Invalid link: this site is blocked", "link"),
            ("The URL is not a valid one", "link"),
            ("'abc' does not match '^d+$', board_id", "board_id"),
            ("Invalid request: 'link' is too long", "link"),
            ("The 'title' value 'x' is bad", "title"),
            ("Invalid value for description: too long", "description"),
            ("alt_text is longer than 500", "alt_text"),
            ("cover_image_url or cover_image_content_type is missing", "media_source"),
            ("[1, 2, 3, 4, 5, 6] is too long, maxItems=5", "media_source"),
            ("Invalid image data", "media_source"),
            ("Sorry! We were unable to reach the URL you provided.", "unreached"),
        ],
    )
    def test_a_field_is_blamed_in_whatever_words(self, message: str, field: str) -> None:
        """Pinterest's texts change without notice; a 400 says nothing but them."""
        body = json.dumps({"code": 1, "message": message}).encode()
        said = PlatformResponse(status=400, headers=CaseInsensitiveDict(), body=body)

        codes = list(error_codes(said))

        assert f"400 {field}" == codes[1]

    @pytest.mark.parametrize(
        "message", ["Invalid request.", "Invalid: {'board_id': '1', 'link': 'no'}", ""]
    )
    def test_no_field_is_blamed_by_what_is_repeated(self, message: str) -> None:
        said = PlatformResponse(
            status=400,
            headers=CaseInsensitiveDict(),
            body=b'{"code": 1, "message": "%s"}' % message.encode(),
        )

        assert list(error_codes(said)) == [f"400 {message}", "400 1", "code 1", "400"]


def _with(rig: PinterestRig, media: MediaFile) -> Publication:
    return a_publication(rig.account, TEXT, media, ON_BOARD)


def _code(outcome: Outcome) -> str | None:
    return outcome.code if isinstance(outcome, Failed) else None
