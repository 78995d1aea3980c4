"""What each platform lets a target choose, for type checkers.

`{"board": "123"}` is an `Options`. Written by `make openapi` of the service from its declarations,
not by hand.
"""

from collections.abc import Mapping
from typing import Literal, TypedDict


class InstagramCrop(TypedDict):
    """What `crop` on Instagram holds."""

    left: float
    top: float
    width: float
    height: float


class _InstagramUserTag(TypedDict):
    """What `user_tags` on Instagram holds at least."""

    username: str


class InstagramUserTag(_InstagramUserTag, total=False):
    """What `user_tags` on Instagram holds."""

    x: float
    y: float


class InstagramOptions(TypedDict, total=False):
    """Options of a target on Instagram."""

    trim: Literal["start", "end"]
    crop: InstagramCrop
    post_type: Literal["feed", "reel", "story"]
    share_to_feed: bool
    cover_offset_ms: int
    collaborators: list[str]
    alt_text: str
    fit: Literal["pad", "crop", "keep"]
    user_tags: list[InstagramUserTag]
    location_id: str
    first_comment: str
    disable_comments: bool
    trial_reel: Literal["MANUAL", "SS_PERFORMANCE"]
    is_ai_generated: bool
    cover_second: int
    cover_media_id: str
    audio_name: str
    is_paid_partnership: bool
    sponsors: list[str]


class TikTokCrop(TypedDict):
    """What `crop` on TikTok holds."""

    left: float
    top: float
    width: float
    height: float


class TikTokOptions(TypedDict, total=False):
    """Options of a target on TikTok."""

    trim: Literal["start", "end"]
    crop: TikTokCrop
    privacy_level: str
    allow_comment: bool
    allow_duet: bool
    allow_stitch: bool
    disclose_commercial: bool
    your_brand: bool
    branded_content: bool
    draft: bool
    is_ai_generated: bool
    cover_second: int


class YouTubeOptions(TypedDict, total=False):
    """Options of a target on YouTube."""

    trim: Literal["start", "end"]
    title: str
    privacy: Literal["public", "unlisted", "private"]
    made_for_kids: bool
    category: str
    tags: list[str]
    playlist: str
    notify_subscribers: bool
    synthetic_media: bool
    is_ai_generated: bool
    paid_promotion: bool
    cover_second: int
    cover_media_id: str
    first_comment: str
    embeddable: bool
    license: Literal["youtube", "creativeCommon"]


class LinkedInCrop(TypedDict):
    """What `crop` on LinkedIn holds."""

    left: float
    top: float
    width: float
    height: float


class _LinkedInMention(TypedDict):
    """What `mentions` on LinkedIn holds at least."""

    handle: str


class LinkedInMention(_LinkedInMention, total=False):
    """What `mentions` on LinkedIn holds."""

    urn: str
    name: str


class LinkedInOptions(TypedDict, total=False):
    """Options of a target on LinkedIn."""

    trim: Literal["start", "end"]
    crop: LinkedInCrop
    link: str | bool
    visibility: Literal["PUBLIC", "CONNECTIONS", "LOGGED_IN"]
    alt_text: str
    alt: str | list[str]
    cover_media_id: str
    title: str
    disable_reshare: bool
    author: str
    cta_label: str
    cta_url: str
    mentions: list[LinkedInMention]
    first_comment: str


class XCrop(TypedDict):
    """What `crop` on X holds."""

    left: float
    top: float
    width: float
    height: float


class XOptions(TypedDict, total=False):
    """Options of a target on X."""

    trim: Literal["start", "end"]
    crop: XCrop
    alt_text: str
    alt: str | list[str]
    reply_settings: Literal["everyone", "following", "mentionedUsers", "subscribers", "verified"]
    first_comment: str
    is_ai_generated: bool
    made_with_ai: bool
    paid_partnership: bool
    community_id: str
    share_with_followers: bool
    for_super_followers_only: bool
    quote_post_id: str
    reply_to_post_id: str
    sensitive: Literal["adult_content", "graphic_violence", "other"]
    media_title: str
    media_description: str


class FacebookCrop(TypedDict):
    """What `crop` on Facebook holds."""

    left: float
    top: float
    width: float
    height: float


class FacebookOptions(TypedDict, total=False):
    """Options of a target on Facebook."""

    trim: Literal["start", "end"]
    crop: FacebookCrop
    post_type: Literal["feed", "reel", "story"]
    link: str | bool
    alt_text: str
    title: str
    is_ai_generated: bool
    cover_second: int
    cover_media_id: str
    place_id: str
    first_comment: str
    targeting_countries: list[str]
    collaborator_page_id: str


class ThreadsCrop(TypedDict):
    """What `crop` on Threads holds."""

    left: float
    top: float
    width: float
    height: float


class ThreadsOptions(TypedDict, total=False):
    """Options of a target on Threads."""

    trim: Literal["start", "end"]
    crop: ThreadsCrop
    reply_control: Literal[
        "everyone",
        "accounts_you_follow",
        "mentioned_only",
        "parent_post_author_only",
        "followers_only",
    ]
    topic_tag: str
    link: str | bool
    alt_text: str
    fit: Literal["pad", "crop", "keep"]
    location_id: str
    quote_post_id: str
    spoiler: bool
    countries: list[str]
    reply_approvals: bool
    share_to_ig_story: bool
    ghost: bool
    first_comment: str


class PinterestCrop(TypedDict):
    """What `crop` on Pinterest holds."""

    left: float
    top: float
    width: float
    height: float


class PinterestOptions(TypedDict, total=False):
    """Options of a target on Pinterest."""

    trim: Literal["start", "end"]
    crop: PinterestCrop
    board: str
    board_section: str
    title: str
    link: str
    alt_text: str
    cover_second: int
    cover_media_id: str
    is_ai_generated: bool
    dominant_color: str


class BlueskyCrop(TypedDict):
    """What `crop` on Bluesky holds."""

    left: float
    top: float
    width: float
    height: float


class BlueskyVideoCaption(TypedDict):
    """What `video_captions` on Bluesky holds."""

    language: str
    text: str


class BlueskyOptions(TypedDict, total=False):
    """Options of a target on Bluesky."""

    trim: Literal["start", "end"]
    crop: BlueskyCrop
    link: str | bool
    alt_text: str
    alt: str | list[str]
    first_comment: str
    langs: list[str]
    reply_settings: Literal["everyone", "nobody", "mentioned", "followers", "following"]
    reply_rules: list[str]
    video_captions: list[BlueskyVideoCaption]
    disable_quotes: bool
    labels: list[str]
    tags: list[str]


class RedditCrop(TypedDict):
    """What `crop` on Reddit holds."""

    left: float
    top: float
    width: float
    height: float


class RedditOptions(TypedDict, total=False):
    """Options of a target on Reddit."""

    trim: Literal["start", "end"]
    crop: RedditCrop
    cover_media_id: str
    subreddit: str
    title: str
    kind: Literal["self", "link", "image", "video"]
    link: str
    flair_id: str
    flair_text: str
    markdown: bool
    nsfw: bool
    spoiler: bool
    send_replies: bool


class GoogleBusinessProfileCrop(TypedDict):
    """What `crop` on Google Business Profile holds."""

    left: float
    top: float
    width: float
    height: float


class _GoogleBusinessProfileCallToAction(TypedDict):
    """What `call_to_action` on Google Business Profile holds at least."""

    type: Literal["BOOK", "ORDER", "SHOP", "LEARN_MORE", "SIGN_UP", "CALL"]


class GoogleBusinessProfileCallToAction(_GoogleBusinessProfileCallToAction, total=False):
    """What `call_to_action` on Google Business Profile holds."""

    url: str


class _GoogleBusinessProfileEvent(TypedDict):
    """What `event` on Google Business Profile holds at least."""

    title: str


class GoogleBusinessProfileEvent(_GoogleBusinessProfileEvent, total=False):
    """What `event` on Google Business Profile holds."""

    start: str
    end: str


class GoogleBusinessProfileOffer(TypedDict, total=False):
    """What `offer` on Google Business Profile holds."""

    coupon: str
    url: str
    terms: str


class GoogleBusinessProfileOptions(TypedDict, total=False):
    """Options of a target on Google Business Profile."""

    trim: Literal["start", "end"]
    crop: GoogleBusinessProfileCrop
    topic_type: Literal["STANDARD", "EVENT", "OFFER"]
    call_to_action: GoogleBusinessProfileCallToAction
    language: str
    event: GoogleBusinessProfileEvent
    offer: GoogleBusinessProfileOffer


Options = (
    InstagramOptions
    | TikTokOptions
    | YouTubeOptions
    | LinkedInOptions
    | XOptions
    | FacebookOptions
    | ThreadsOptions
    | PinterestOptions
    | BlueskyOptions
    | RedditOptions
    | GoogleBusinessProfileOptions
)

OPTIONS_OF: Mapping[str, type] = {
    "instagram": InstagramOptions,
    "tiktok": TikTokOptions,
    "youtube": YouTubeOptions,
    "linkedin": LinkedInOptions,
    "x": XOptions,
    "facebook": FacebookOptions,
    "threads": ThreadsOptions,
    "pinterest": PinterestOptions,
    "bluesky": BlueskyOptions,
    "reddit": RedditOptions,
    "google business profile": GoogleBusinessProfileOptions,
}

GOLDEN_PLATFORMS = frozenset(
    {
        "instagram",
        "tiktok",
        "youtube",
        "linkedin",
        "x",
        "facebook",
        "threads",
    }
)
"""The platforms whose next golden hour can be asked for."""
