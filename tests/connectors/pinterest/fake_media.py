"""Pinterest's uploads on loopback: registering, S3's form, and what processing says.

S3 takes exactly the fields that were registered, in any order but before the file, and no second
signature; what it refuses it says in XML.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.connectors.support.fake_platform import KEPT_BYTES, Answer, Received, Value, Wrong

LARGEST, _FORM = 2_000_000_000, 10_000
SIGNATURE = "sig-of-the-harbour"
POLICY = "cG9saWN5LW9mLXRoZS1oYXJib3Vy"
_PROGRESS = ("processing", "processing", "succeeded")


@dataclass(slots=True)
class Upload:
    """A video on its way; `looks` counts how often its state was asked for."""

    form: Mapping[str, str]
    digests: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    looks: int = 0


class PinterestUploads:
    """Every upload of a fake.

    `refusal` is what S3 says next, `loses` how many uploads never arrive, `fails` lets processing
    end badly.
    """

    def __init__(self) -> None:
        self.kept: dict[str, Upload] = {}
        self.refusal: Answer | None = None
        self.loses = 0
        self.fails = False
        self._next_id = 5_212_000_000_000_000

    def register(self, call: Received, url: str) -> Answer:
        """Open a place for a video."""
        if call.json != {"media_type": "video"}:
            raise Wrong(Answer(400, {"code": 1, "message": "Invalid request: ..."}))
        self._next_id += 1
        media_id = str(self._next_id)
        self.kept[media_id] = Upload(form=_form(media_id))
        return Answer(
            201,
            {
                "media_id": media_id,
                "media_type": "video",
                "upload_url": f"{url}/s3/",
                "upload_parameters": dict(self.kept[media_id].form),
            },
        )

    def state(self, media_id: str) -> Answer:
        """Say how far a video is."""
        if media_id not in self.kept:
            raise Wrong(Answer(404, {"code": 404, "message": "Media not found."}))
        upload = self.kept[media_id]
        told = {"media_id": media_id, "media_type": "video"}
        if not upload.digests:
            return Answer(200, {**told, "status": "registered"})
        status = _PROGRESS[min(upload.looks, len(_PROGRESS) - 1)]
        upload.looks += 1
        is_over = status == "succeeded" and self.fails
        return Answer(200, {**told, "status": "failed" if is_over else status})

    def is_ready(self, media_id: Value) -> bool:
        """Tell whether a pin may name it."""
        upload = self.kept.get(media_id)
        return upload is not None and upload.looks >= len(_PROGRESS)

    def store(self, call: Received) -> Answer:
        """Take a filled form as S3 does."""
        if "authorization" in call.headers:
            raise Wrong(xml_error(400, "InvalidArgument"))
        if "chunked" in call.headers.get("transfer-encoding", ""):
            raise Wrong(xml_error(411, "MissingContentLength"))
        if self.refusal is not None:
            refusal, self.refusal = self.refusal, None
            raise Wrong(refusal)
        if call.size > LARGEST + _FORM:
            raise Wrong(xml_error(400, "EntityTooLarge"))
        if self.loses:
            self.loses -= 1
        else:
            self._arrive(call)
        return Answer(204, None)

    def _arrive(self, call: Received) -> None:
        if call.size > KEPT_BYTES:  # not kept, so not read: the latest place is meant
            upload = list(self.kept.values())[-1]
            upload.digests.append(call.digest)
            return
        parts = call.parts
        fields = {part.name: part.content.decode() for part in parts[:-1]}
        named = [one for one in self.kept.values() if one.form == fields]
        if not named or parts[-1].name != "file" or parts[-1].filename is None:
            raise Wrong(xml_error(403, "AccessDenied"))
        named[0].digests.append(call.digest)
        named[0].names = [part.name for part in parts]


def xml_error(status: int, code: str) -> Answer:
    """Return an error as S3 spells it."""
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    text = f"{head}<Error><Code>{code}</Code><Message>No.</Message><RequestId>7</RequestId></Error>"
    return Answer(status, text.encode())


def _form(media_id: str) -> dict[str, str]:
    return {
        "key": f"uploads/ab/{media_id}:video:1",
        "policy": POLICY,
        "x-amz-algorithm": "AWS4-HMAC-SHA256",
        "x-amz-credential": "FAKE/20261120/us-east-1/s3/aws4_request",
        "x-amz-date": "20261120T213000Z",
        "x-amz-security-token": "tok-of-the-harbour",
        "x-amz-signature": SIGNATURE,
        "Content-Type": "multipart/form-data",
    }
