"""Operations on media files: upload, list, download, remove."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO
from urllib.parse import urlsplit

import requests

from goldenhour.errors import ApiError, NoAnswer, UnexpectedAnswer, WaitedTooLong
from goldenhour.http import uploading
from goldenhour.http.making import make
from goldenhour.http.reading import read
from goldenhour.http.refusing import error_from
from goldenhour.http.retrying import pauses, retry_after_s
from goldenhour.http.transport import (
    CONNECT_TIMEOUT_S,
    READ_TIMEOUT_S,
    Call,
    Transport,
    is_this_machine,
)
from goldenhour.http.uploading import Progress, Source
from goldenhour.models.answers import (
    AskedMedia,
    DescribedMedia,
    DirectUpload,
    FetchedUpload,
    Media,
    UploadState,
)

DOWNLOAD_BYTES = 1024 * 1024
LEFT_AS_IS = "\0"
"""No alt text can be this: it stands for none that is given."""


class MediaFiles:
    """The workspace's files."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def upload(
        self,
        file: str | os.PathLike[str] | BinaryIO,
        *,
        filename: str | None = None,
        progress: Progress | None = None,
        idempotency_key: str | None = None,
    ) -> Media:
        """Upload a photo or video and return it once it can be posted.

        It is read from disk while it is sent; large files go straight to the service's storage
        where it offers that. With a key that you keep, a repeat after a crash, within a day,
        returns the same file. Raises KeyReused when the key came with another file before.
        """
        with Source.of(file, filename) as source:
            return uploading.upload(self, source, progress or uploading.ignore, idempotency_key)

    def upload_by_form(self, source: Source, progress: Progress, key: str | None = None) -> Media:
        """Upload a file through the API, as one multipart form."""
        return make(
            self._transport,
            "/v1/media",
            lambda answer: answer.read(Media),
            key=key,
            stream=lambda: source.as_form(progress),
        )

    def begin_upload(
        self, *, filename: str, size_bytes: int, idempotency_key: str | None = None
    ) -> DirectUpload:
        """Return where a file may be PUT straight to the storage; `upload` does it all."""
        return make(
            self._transport,
            "/v1/media/uploads",
            lambda answer: answer.read(DirectUpload),
            key=idempotency_key,
            json={"filename": filename, "size_bytes": size_bytes},
        )

    def reaches(self, upload: DirectUpload) -> bool:
        """Tell whether an address is not one that only the service's own machine can reach."""
        here, there = (urlsplit(at).hostname or "" for at in (self._transport.base_url, upload.url))
        return is_this_machine(here) or not is_this_machine(there)

    def put(self, upload: DirectUpload, source: Source, progress: Progress) -> None:
        """Send a file where `begin_upload` said, again where that is busy. The key stays here."""
        retries = self._transport.retries
        waits = pauses(retries.first_pause_s, retries.longest_pause_s)
        for remaining in range(retries.attempts - 1, -1, -1):
            try:
                return self._put_once(upload, source, progress)
            except ApiError as refusal:
                asked = refusal.retry_after_s
                pause = next(waits) if asked is None else asked
                is_busy = refusal.status == requests.codes.service_unavailable
                if not is_busy or not remaining or pause > retries.longest_pause_s:
                    raise
                self._transport.sleep(pause)
        raise AssertionError("an attempt answers or raises")

    def _put_once(self, upload: DirectUpload, source: Source, progress: Progress) -> None:
        with self._transport.outside() as session:
            try:
                response = session.put(
                    upload.url,
                    data=source.as_stream(progress),
                    headers=dict(upload.headers),
                    timeout=(CONNECT_TIMEOUT_S, READ_TIMEOUT_S),
                    allow_redirects=False,
                )
            except requests.RequestException as failure:
                raise NoAnswer(
                    "The connection to the storage broke during the upload. Try it again.",
                    maybe_done=False,
                ) from failure
        if not response.ok:
            asked = retry_after_s(response.headers.get("Retry-After"))
            said = {"error": {"message": f"The storage answered {response.status_code}."}}
            raise error_from(response.status_code, said, request_id=None, retry_after_s=asked)

    def upload_state(self, media_id: str) -> UploadState:
        """Return how an upload stands: waiting, ready or refused."""
        path = f"/v1/media/uploads/{media_id}"
        return self._transport.send(Call(method="GET", path=path, repeatable=True)).read(
            UploadState
        )

    def upload_from_url(
        self, url: str, *, timeout_s: float = 600, idempotency_key: str | None = None
    ) -> Media:
        """Let the service fetch a file from a public address; return it once it can be posted."""
        begun = self.begin_upload_from_url(url, idempotency_key=idempotency_key)
        return self.wait_until_ready(begun.media_id, timeout_s=timeout_s)

    def begin_upload_from_url(
        self, url: str, *, idempotency_key: str | None = None
    ) -> FetchedUpload:
        """Let the service begin to fetch a file; `upload_state` tells how it stands."""
        return make(
            self._transport,
            "/v1/media/from-url",
            lambda answer: answer.read(FetchedUpload),
            key=idempotency_key,
            json={"url": url},
        )

    def wait_until_ready(self, media_id: str, *, timeout_s: float = 600) -> Media:
        """Return a file once its upload is ready. Raises what it was refused for, WaitedTooLong."""
        waited_s = 0.0
        for pause in pauses(0.2, 5):
            state = self.upload_state(media_id)
            if state.state == "ready":
                return self.get(media_id)
            if state.state == "refused":
                raise _refused(state)
            if waited_s > timeout_s:
                break
            self._transport.sleep(pause)
            waited_s += pause
        raise WaitedTooLong(f"File {media_id} is not ready after {timeout_s:g} s.")

    def list(
        self,
        *,
        kind: str | None = None,
        used: bool | None = None,
        q: str | None = None,
        page_size: int = 200,
    ) -> Iterator[Media]:
        """Yield the files that can still be posted, newest first, page by page.

        `kind` is `video` or `image`, `used` whether a post has the file, `q` text of its
        name or alt text.
        """
        query = {
            "kind": kind,
            "used": None if used is None else str(used).lower(),
            "q": q,
            "limit": page_size,
        }
        call = Call(method="GET", path="/v1/media", query=query, repeatable=True)
        for answer in self._transport.pages(call):
            data = answer.body.get("data") if isinstance(answer.body, dict) else None
            yield from read(tuple[Media, ...], data, "data")

    def get(self, media_id: str) -> Media:
        """Return a file's record."""
        call = Call(method="GET", path=f"/v1/media/{media_id}", repeatable=True)
        return self._transport.send(call).read(Media)

    def describe(
        self, media_id: str, *, alt_text: str | None = LEFT_AS_IS, filename: str | None = None
    ) -> DescribedMedia:
        """Say what a file shows, or rename it; posts that wait say the same. None takes it away."""
        json = {
            **({} if alt_text is LEFT_AS_IS else {"alt_text": alt_text}),
            **({} if filename is None else {"filename": filename}),
        }
        call = Call(method="PATCH", path=f"/v1/media/{media_id}", json=json)
        return self._transport.send(call).read(DescribedMedia)

    def alt_text(self, media_id: str) -> str | None:
        """Return what is said of a file for those who cannot see it."""
        call = Call(
            method="GET",
            path=f"/v1/media/{media_id}",
            query={"include": "alt_text"},
            repeatable=True,
        )
        return self._transport.send(call).read(AskedMedia).alt_text

    def download(self, media_id: str, to: str | os.PathLike[str]) -> Path:
        """Save a file; it appears under its name only when it is whole."""
        address = self._transport.location(f"/v1/media/{media_id}/file")
        target = Path(to)
        partial = target.with_name(target.name + ".part")
        try:
            self._save(address, partial)
            return partial.replace(target)
        except requests.RequestException as failure:
            raise NoAnswer(
                "The connection broke during the download. Try it again.", maybe_done=False
            ) from failure
        finally:
            partial.unlink(missing_ok=True)

    def _save(self, address: str, to: Path) -> None:
        timeouts = (CONNECT_TIMEOUT_S, READ_TIMEOUT_S)
        with (
            self._transport.outside() as session,
            session.get(address, stream=True, timeout=timeouts) as response,
        ):
            if not response.ok:
                raise UnexpectedAnswer(f"The storage answered {response.status_code}.")
            with to.open("wb") as out:
                for chunk in response.iter_content(DOWNLOAD_BYTES):
                    out.write(chunk)

    def remove(self, media_id: str) -> None:
        """Remove a file from the service; posts that use it keep their record of it."""
        self._transport.send(Call(method="DELETE", path=f"/v1/media/{media_id}", repeatable=True))


def _refused(state: UploadState) -> Exception:
    answer = {"error": {"code": state.code, "message": state.message}}
    return error_from(422, answer, request_id=None, retry_after_s=None)
