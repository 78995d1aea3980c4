"""What Google's API takes as a post, strictly: nothing else, nothing of another type.

`localPosts` is in no package, so this is written from the reference page of v4.9. Lengths are those
of the fact sheet. `unfit_fields` names what is wrong as Google does: `media[0].source_url`.
"""

import re
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tests.connectors.support.fake_platform import Value

Text = Annotated[str, Field(min_length=1)]
Address = Annotated[str, Field(pattern=r"^https?://[^\s/]+\S*$")]


class Strict(BaseModel):
    """An object with no fields but its own."""

    model_config = ConfigDict(extra="forbid", strict=True)


class CallToAction(Strict):
    """A button; `url` is left unset for CALL."""

    actionType: Literal["BOOK", "ORDER", "SHOP", "LEARN_MORE", "SIGN_UP", "CALL"]  # noqa: N815
    url: Address | None = None


class MediaItem(Strict):
    """A photo: sourceUrl is the only data that posts take."""

    mediaFormat: Literal["PHOTO"]  # noqa: N815
    sourceUrl: Text  # noqa: N815


class Date(Strict):
    """A whole date."""

    year: Annotated[int, Field(ge=1, le=9999)]
    month: Annotated[int, Field(ge=1, le=12)]
    day: Annotated[int, Field(ge=1, le=31)]


class TimeOfDay(Strict):
    """A time, of the location."""

    hours: Annotated[int, Field(ge=0, le=23)]
    minutes: Annotated[int, Field(ge=0, le=59)]
    seconds: Annotated[int, Field(ge=0, le=59)]
    nanos: Annotated[int, Field(ge=0, le=999_999_999)]


class TimeInterval(Strict):
    """It must contain all fields to be valid."""

    startDate: Date  # noqa: N815
    startTime: TimeOfDay  # noqa: N815
    endDate: Date  # noqa: N815
    endTime: TimeOfDay  # noqa: N815


class Event(Strict):
    """An event; offers have one, too."""

    title: Annotated[str, Field(min_length=1, max_length=58)]
    schedule: TimeInterval


class Offer(Strict):
    """All of it is optional."""

    couponCode: Annotated[str, Field(min_length=1, max_length=58)] | None = None  # noqa: N815
    redeemOnlineUrl: Address | None = None  # noqa: N815
    termsConditions: Annotated[str, Field(min_length=1, max_length=5000)] | None = None  # noqa: N815


class LocalPost(Strict):
    """A post as it is made: what Google fills in itself must not be there."""

    topicType: Literal["STANDARD", "EVENT", "OFFER"]  # noqa: N815
    summary: Annotated[str, Field(min_length=1, max_length=1500)] | None = None
    languageCode: Annotated[str, Field(pattern=r"^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$")] | None = (  # noqa: N815
        None
    )
    callToAction: CallToAction | None = None  # noqa: N815
    media: Annotated[list[MediaItem], Field(min_length=1, max_length=1)] | None = None
    event: Event | None = None
    offer: Offer | None = None


def unfit_fields(body: Value) -> list[str]:
    """Return the fields of a post that Google would refuse, empty for a good one."""
    try:
        post = LocalPost.model_validate(body)
    except ValidationError as error:
        return [_spelled(problem["loc"]) for problem in error.errors()]
    return list(_unfit_together(post))


def _unfit_together(post: LocalPost) -> list[str]:
    """Return what is wrong between fields that are each good."""
    button = post.callToAction
    unfit = {
        "event": (post.event is not None) != (post.topicType in {"EVENT", "OFFER"}),
        "offer": post.offer is not None and post.topicType != "OFFER",
        "call_to_action": button is not None and post.topicType == "OFFER",
        "call_to_action.url": button is not None
        and (button.url is None) != (button.actionType == "CALL"),
        "event.schedule": post.event is not None and _is_inverted(post.event.schedule),
        "summary": post.summary is None and post.media is None,
    }
    return [field for field, is_unfit in unfit.items() if is_unfit]


def _is_inverted(schedule: TimeInterval) -> bool:
    """Tell whether it ends before it begins, or at once."""
    start, end = (
        (date.year, date.month, date.day, time.hours, time.minutes, time.seconds)
        for date, time in (
            (schedule.startDate, schedule.startTime),
            (schedule.endDate, schedule.endTime),
        )
    )
    return end <= start


def _spelled(loc: tuple[int | str, ...]) -> str:
    named = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in loc)
    return re.sub(r"(?<=[a-z])[A-Z]", lambda letter: f"_{letter[0]}", named).lower().lstrip(".")
