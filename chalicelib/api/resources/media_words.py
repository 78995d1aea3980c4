"""What is said of a file: its name and its alt text, which the posts that have it say too."""

from typing import Annotated, Literal

from pydantic import Field

from chalicelib.api.http.endpoint import AnyCall, Call, endpoint
from chalicelib.api.http.fields import (
    COMMA_SEPARATED,
    ONE_AT_LEAST,
    UP_TO_MOST,
    In,
    Line,
    Query,
    Text,
)
from chalicelib.api.resources.media import MOST_FILENAME, MediaOut
from chalicelib.domain.errors import MediaNotFound
from chalicelib.domain.media.media import LONGEST_ALT_TEXT, Media
from chalicelib.domain.workspace.access import Scope
from chalicelib.http.messages import JsonObject
from chalicelib.services.posts.file_descriptions import MediaWords


class DescribedMediaOut(MediaOut):
    """An uploaded file with its alt text."""

    alt_text: str | None = Field(description="What it shows, for those who cannot see it.")


class AskedMediaOut(MediaOut):
    """An uploaded file, with its alt text if that was asked for."""

    alt_text: str | None = Field(default=None, description="With `include=alt_text`.")

    @classmethod
    def serialize(cls, value: Media, call: AnyCall | None) -> JsonObject:
        """Write a file with what was asked for."""
        is_described = call is not None and "alt_text" in getattr(call.query, "include", ())
        return (DescribedMediaOut if is_described else MediaOut).serialize(value, call)


class MediaWordsIn(In):
    """What shall be said of a file; what is left out stays."""

    alt_text: Annotated[Text, Field(max_length=LONGEST_ALT_TEXT)] | None = Field(
        default=None,
        description="What it shows, for those who cannot see it; null takes it away. Posts say it "
        "wherever a target has no alt_text of its own.",
    )
    filename: Annotated[Line, Field(min_length=1, max_length=MOST_FILENAME)] | None = None


class FileQuery(Query):
    """What a file's record is asked with."""

    include: Annotated[
        tuple[Literal["alt_text"], ...], ONE_AT_LEAST, UP_TO_MOST, COMMA_SEPARATED
    ] = Field(default=(), description="Adds `alt_text`.")


@endpoint(
    summary="Get a file's record",
    scope=Scope.READ,
    query=FileQuery,
    returns=AskedMediaOut,
    raises=(MediaNotFound,),
)
def get_media(call: Call[None, FileQuery]) -> Media:
    """Return one file, also after it was removed."""
    return call.services.media.library.get(call.caller, call.path["media_id"])


@endpoint(
    summary="Name or describe a file; posts that wait say the same",
    also_needs=(
        "New words of a file on a scheduled post need `post.publish` besides, as an edit of that "
        "post does."
    ),
    scope=Scope.WRITE,
    body=MediaWordsIn,
    example={"alt_text": "Four loaves of rye on a wooden board"},
    returns=DescribedMediaOut,
    raises=(MediaNotFound,),
)
def describe_media(call: Call[MediaWordsIn]) -> Media:
    """Change what is said of a file."""
    words = MediaWords(
        alt_text=call.body.alt_text,
        keeps_alt="alt_text" not in call.body.model_fields_set,
        filename=call.body.filename,
    )
    return call.services.media.descriptions.describe(call.caller, call.path["media_id"], words)
