"""Query and answer of `/v1/accounts/{account_id}/tiktok` (SPEC "TikTok creator options")."""

from pydantic import Field

from chalicelib.api.endpoint import AnyCall
from chalicelib.api.fields import Out, Query
from chalicelib.api.wire import JsonObject
from chalicelib.domain.tiktok import CreatorOptions


class TiktokQuery(Query):
    """What is to be posted."""

    media: str = Field(default="video", pattern="^(video|image)$")


class PrivacyLevelOut(Out):
    """Who can see a post."""

    value: str
    label: str


class InteractionsOut(Out):
    """What viewers may do with a post."""

    comment: bool
    duet: bool
    stitch: bool


class CreatorOptionsOut(Out):
    """What the creator can choose for the next post, fresh from TikTok."""

    account_id: str
    handle: str
    nickname: str
    can_post: bool
    privacy_levels: list[PrivacyLevelOut]
    max_video_seconds: int
    interactions: InteractionsOut

    @staticmethod
    def of(result: CreatorOptions, _call: AnyCall) -> JsonObject:
        """Write a creator's options."""
        allowed = result.interactions
        return {
            "account_id": result.account_id,
            "handle": result.handle,
            "nickname": result.nickname,
            "can_post": result.can_post,
            "privacy_levels": [
                {"value": level.value, "label": level.label} for level in result.privacy_levels
            ],
            "max_video_seconds": result.max_video_seconds,
            "interactions": {
                "comment": allowed.comment,
                "duet": allowed.duet,
                "stitch": allowed.stitch,
            },
        }
