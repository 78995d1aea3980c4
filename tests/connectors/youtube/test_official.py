"""Google's own client, `google-api-python-client`, against our fake, which judges the connector.

Google's description of YouTube's interface, which comes with that client, is held against what the
connector sends; the fake holds every call and every answer against it, too (`discovery.py`).
"""

import io
from collections.abc import Iterator

import pytest
from google.oauth2.credentials import Credentials
from googleapiclient.discovery import Resource, build
from googleapiclient.errors import HttpError
from googleapiclient.http import HttpRequest, MediaIoBaseUpload

from chalicelib.connectors.youtube.account import SCOPES
from chalicelib.domain.outcome import Done
from chalicelib.kit.json_value import Json
from tests.connectors.support.discovery import document
from tests.connectors.youtube.fake import CHANNEL, HANDLE, PLAYLIST, UPLOADS, VIDEO, FakeYouTube
from tests.connectors.youtube.rig import YouTubeRig
from tests.support.frozen_clock import FrozenClock

CHUNK = 262_144
CONTENT = bytes(range(256)) * 2_344
RESOURCE = {
    "snippet": {"title": "Harbour at dawn", "description": "Rye & salt", "categoryId": "22"},
    "status": {"privacyStatus": "public", "selfDeclaredMadeForKids": False},
}


@pytest.fixture
def fake() -> Iterator[FakeYouTube]:
    made = FakeYouTube(FrozenClock())
    yield made
    made.close()


@pytest.fixture
def client(fake: FakeYouTube) -> Iterator[Resource]:
    made = _client(fake, "youtube", "v3")
    yield made
    made.close()


def _client(fake: FakeYouTube, name: str, version: str) -> Resource:
    return build(
        name,
        version,
        credentials=Credentials(token=fake.access),  # type: ignore[no-untyped-call]  # google-auth
        static_discovery=True,
        client_options={"api_endpoint": fake.url},
    )


def _insert(client: Resource) -> HttpRequest:
    media = MediaIoBaseUpload(
        io.BytesIO(CONTENT), mimetype="video/mp4", chunksize=CHUNK, resumable=True
    )
    request = client.videos().insert(part="snippet,status", body=RESOURCE, media_body=media)
    # The client spells upload addresses as https whatever it was told.
    request.uri = request.uri.replace("https://", "http://")
    return request


def _uploaded(client: Resource) -> str:
    return str(_insert(client).execute()["id"])


class TestTheFake:
    """What Google's client does, the fake takes."""

    def test_it_takes_a_video_in_chunks(self, client: Resource, fake: FakeYouTube) -> None:
        request, made, seen = _insert(client), None, []
        while made is None:
            status, made = request.next_chunk()
            seen.append(None if status is None else status.resumable_progress)

        opened, *chunks = fake.calls
        assert opened.headers["x-upload-content-length"] == str(len(CONTENT))
        assert seen == [CHUNK, 2 * CHUNK, None]
        assert len(chunks) == 3
        assert (made["id"], made["snippet"]["title"]) == (VIDEO, "Harbour at dawn")
        assert made["status"]["uploadStatus"] == "uploaded"

    def test_it_lets_its_client_go_on_where_an_upload_was_cut_off(
        self, client: Resource, fake: FakeYouTube
    ) -> None:
        request = _insert(client)
        request.next_chunk()
        fake.uploads.keeps_only = CHUNK // 2

        made = request.execute()

        assert made["id"] == VIDEO
        assert fake.uploads.sessions["UPL77"].arrived == len(CONTENT)

    def test_it_tells_how_far_a_video_is_and_how_it_does(self, client: Resource) -> None:
        video = _uploaded(client)
        part = "status,processingDetails,statistics"

        told = [client.videos().list(part=part, id=video).execute() for _ in range(3)]

        assert [one["items"][0]["status"]["uploadStatus"] for one in told] == [
            "uploaded",
            "uploaded",
            "processed",
        ]
        assert told[0]["items"][0]["statistics"]["viewCount"] == "120"

    def test_it_names_the_channel_and_its_newest_upload(self, client: Resource) -> None:
        video = _uploaded(client)

        channel = client.channels().list(part="snippet,contentDetails", mine=True).execute()
        newest = client.playlistItems().list(part="snippet,contentDetails", playlistId=UPLOADS)

        (mine,) = channel["items"]
        (item,) = newest.execute()["items"]
        assert (mine["id"], mine["snippet"]["customUrl"]) == (CHANNEL, HANDLE)
        assert item["contentDetails"]["videoId"] == video

    def test_it_puts_a_video_into_a_playlist(self, client: Resource, fake: FakeYouTube) -> None:
        video = _uploaded(client)
        what = {"kind": "youtube#video", "videoId": video}
        body = {"snippet": {"playlistId": PLAYLIST, "resourceId": what}}

        client.playlistItems().insert(part="snippet", body=body).execute()

        assert fake.playlists == {PLAYLIST: [video]}

    def test_it_deletes_a_video_once(self, client: Resource, fake: FakeYouTube) -> None:
        video = _uploaded(client)

        client.videos().delete(id=video).execute()
        with pytest.raises(HttpError) as refused:
            client.videos().delete(id=video).execute()

        assert fake.posts == {}
        assert refused.value.error_details[0]["reason"] == "videoNotFound"

    def test_it_refuses_what_the_description_does_not_know(self, client: Resource) -> None:
        media = MediaIoBaseUpload(io.BytesIO(CONTENT), mimetype="video/mp4", resumable=True)
        body = {"snippet": {"titel": "Harbour", "categoryId": 22}}
        request = client.videos().insert(part="snippet", body=body, media_body=media)
        request.uri = request.uri.replace("https://", "http://")

        with pytest.raises(HttpError) as refused:
            request.execute()

        assert "Video.snippet.titel: unknown" in refused.value.reason
        assert "Video.snippet.categoryId: not of type string" in refused.value.reason

    def test_it_answers_reports_of_analytics(self, fake: FakeYouTube) -> None:
        fake.rows = [[VIDEO, 3, 1]]
        client = _client(fake, "youtubeAnalytics", "v2")

        told = client.reports().query(ids="channel==MINE", metrics="shares").execute()

        assert told["rows"] == [[VIDEO, 3, 1]]
        client.close()


class TestTheConnector:
    """What the connector sends, Google's description knows."""

    def test_every_call_is_one_that_google_describes(self, rig: YouTubeRig) -> None:
        end = rig.drive("options").run()
        assert isinstance(end, Done)
        rig.connector.metrics([rig.live(end)])
        rig.connector.identities(rig.tokens, rig.clock())
        rig.connector.delete(rig.live(end))

        described = [call for call in rig.platform.calls if call.method != "PUT"]
        problems = [document(_name(call.path)).call_problems(call) for call in described]

        assert len({call.name for call in described}) == 6
        assert problems == [[]] * len(described)

    def test_the_permissions_asked_for_are_enough_for_every_call(self, rig: YouTubeRig) -> None:
        end = rig.drive("options").run()
        assert isinstance(end, Done)
        rig.connector.metrics([rig.live(end)])
        rig.connector.delete(rig.live(end))

        for call in rig.platform.calls:
            if call.method != "PUT":
                method = document(_name(call.path)).method_of(call)
                assert not _scopes(method).isdisjoint(SCOPES), call.name


def _name(path: str) -> str:
    return "youtubeAnalytics.v2" if path.startswith("/v2/") else "youtube.v3"


def _scopes(method: Json) -> set[str]:
    assert isinstance(method, dict)
    scopes = method["scopes"]
    assert isinstance(scopes, list)
    return set(map(str, scopes))
