"""Which options each platform knows, from its own documentation: what they mean and may hold.

`options.py` checks targets by these tables and the API's description is made of them. A connector
reads a key only if it stands here. `trim` is known everywhere (docs/api.md "Target options").
"""

from collections.abc import Mapping
from types import MappingProxyType

from chalicelib.domain.dataclass import dataclass
from chalicelib.domain.platforms.option_rules import (
    Choice,
    Fields,
    Flag,
    Link,
    Many,
    Number,
    OneOrMany,
    Rule,
    Text,
)
from chalicelib.domain.platforms.platform import Platform


@dataclass(frozen=True, slots=True)
class Option:
    """One key: what its value must be, and what it does, in one sentence for people."""

    rule: Rule
    about: str


Options = Mapping[str, Option]

_YES_OR_NO = Flag()
_TEXT = Text()
_ID = Text(longest=64)
_ALT = OneOrMany(of=Text(longest=2_000), most=20)
_NO_ANGLE_BRACKETS = r"[^<>\u0000-\u001F\u007F-\u009F]*"
_TOPIC = r"[^.&\u0000-\u001F\u007F-\u009F]+"
_COUNTRY = Text(longest=2, pattern="[A-Z]{2}")
_AI = "Says that the content was made or changed by AI."

EVERYWHERE: Options = {
    "trim": Option(
        Choice(("start", "end")), "Which part of a video too long for the platform goes out."
    ),
}

_INSTAGRAM: Options = {
    "post_type": Option(
        Choice(("feed", "reel", "story")), "Where it appears; a video is a reel by default."
    ),
    "share_to_feed": Option(_YES_OR_NO, "Shows a reel on the profile's grid too (default true)."),
    "cover_offset_ms": Option(
        Number(most=900_000), "Milliseconds into the video at which its cover is taken."
    ),
    "collaborators": Option(
        Many(of=Text(longest=100), most=3), "User names invited as joint authors."
    ),
    "alt_text": Option(Text(longest=1_000), "What a photo shows, for those who cannot see it."),
    "user_tags": Option(
        Many(
            of=Fields(
                of={
                    "username": Text(longest=100),
                    "x": Number(most=1, whole=False),
                    "y": Number(most=1, whole=False),
                },
                required=("username",),
            ),
            most=20,
        ),
        "People in it; x and y, 0 to 1 from the top left, say where in a photo.",
    ),
    "location_id": Option(_ID, "Id of a Facebook Page that is a place."),
    "first_comment": Option(Text(longest=2_200), "Posted as a comment right after the post."),
    "trial_reel": Option(
        Choice(("MANUAL", "SS_PERFORMANCE")),
        "Shows a reel to non-followers first; followers get it by hand or when it does well.",
    ),
    "is_ai_generated": Option(_YES_OR_NO, _AI),
}
_TIKTOK: Options = {
    "privacy_level": Option(
        Text(longest=100),
        "Who sees it: a value that the creator options of the account offer. Required to send.",
    ),
    "allow_comment": Option(_YES_OR_NO, "Lets people comment (default false)."),
    "allow_duet": Option(_YES_OR_NO, "Lets people make duets with a video (default false)."),
    "allow_stitch": Option(_YES_OR_NO, "Lets people stitch a video (default false)."),
    "disclose_commercial": Option(
        _YES_OR_NO, "Says that it promotes something; needs one of the next two."
    ),
    "your_brand": Option(_YES_OR_NO, "It promotes the creator's own business."),
    "branded_content": Option(
        _YES_OR_NO, "It is a paid partnership; never with privacy_level SELF_ONLY."
    ),
}
_YOUTUBE: Options = {
    "title": Option(
        Text(longest=100, pattern=_NO_ANGLE_BRACKETS),
        "The video's title; else the caption's first line.",
    ),
    "privacy": Option(
        Choice(("public", "unlisted", "private")), "Who can watch it (default public)."
    ),
    "made_for_kids": Option(_YES_OR_NO, "Says that it is made for children (default false)."),
    "category": Option(
        Text(longest=3, pattern="[0-9]+"), 'Number of a YouTube category, such as "22".'
    ),
    "tags": Option(
        Many(of=Text(longest=500, pattern=_NO_ANGLE_BRACKETS), most=250),
        "Keywords, 500 characters in all; one with a space counts two more.",
    ),
    "playlist": Option(_ID, "Id of a playlist of the channel that it is added to."),
    "notify_subscribers": Option(_YES_OR_NO, "Tells subscribers of it (default true)."),
    "synthetic_media": Option(_YES_OR_NO, "Says that it shows realistic altered content."),
    "embeddable": Option(_YES_OR_NO, "Lets other sites show it (default true)."),
    "license": Option(Choice(("youtube", "creativeCommon")), "Under which licence it stands."),
}
_LINKEDIN: Options = {
    "link": Option(
        Link(),
        "Link shown with a preview if there is no file; true: the first of the caption.",
    ),
    "visibility": Option(
        Choice(("PUBLIC", "CONNECTIONS", "LOGGED_IN")), "Who sees it (default PUBLIC)."
    ),
    "alt": Option(_ALT, "What the photo shows, for those who cannot see it."),
    "title": Option(Text(longest=400), "Title of the file."),
    "disable_reshare": Option(_YES_OR_NO, "Keeps others from sharing it (default false)."),
    "author": Option(
        Text(longest=100, pattern="urn:li:[A-Za-z]+:[A-Za-z0-9_-]+"),
        "URN of the member or page it is posted as, if not the account's own.",
    ),
    "cta_label": Option(
        Text(longest=50, pattern="[A-Z_]+"), "Label of the button of a page's post, as LEARN_MORE."
    ),
    "cta_url": Option(_TEXT, "Where that button leads."),
}
_X: Options = {
    "alt": Option(
        OneOrMany(of=Text(longest=1_000), most=4),
        "What the photo shows, for those who cannot see it.",
    ),
    "reply_settings": Option(
        Choice(("everyone", "following", "mentionedUsers", "subscribers", "verified")),
        "Who may reply (default everyone).",
    ),
    "made_with_ai": Option(_YES_OR_NO, _AI),
    "paid_partnership": Option(_YES_OR_NO, "Says that it is paid for."),
    "community_id": Option(
        Text(longest=20, pattern="[0-9]+"), "Id of the community it is posted to."
    ),
    "share_with_followers": Option(
        _YES_OR_NO, "Shows a community's post to the account's followers too."
    ),
    "for_super_followers_only": Option(_YES_OR_NO, "Shows it to paying followers only."),
    "media_title": Option(Text(longest=300), "Title of the file."),
    "media_description": Option(Text(longest=1_000), "Description of the file."),
}
_FACEBOOK: Options = {
    "post_type": Option(
        Choice(("feed", "reel", "story")),
        "Where it appears; upright videos of 3 to 90 seconds are reels by default.",
    ),
    "link": Option(_TEXT, "Address shown as a card below a text-only post."),
    "alt_text": Option(Text(longest=1_000), "What a photo shows, for those who cannot see it."),
    "title": Option(Text(longest=255), "Title of a video."),
    "place_id": Option(_ID, "Id of a Page that is the place."),
    "first_comment": Option(Text(longest=8_000), "Posted as a comment right after the post."),
    "targeting_countries": Option(
        Many(of=_COUNTRY, most=25), "Two-letter codes of the countries it is shown in."
    ),
    "collaborator_page_id": Option(_ID, "Id of a Page invited as joint author of a reel."),
}
_THREADS: Options = {
    "reply_control": Option(
        Choice(
            (
                "everyone",
                "accounts_you_follow",
                "mentioned_only",
                "parent_post_author_only",
                "followers_only",
            )
        ),
        "Who may reply (default everyone).",
    ),
    "topic_tag": Option(Text(longest=50, pattern=_TOPIC), "The post's topic."),
    "link": Option(_TEXT, "Address shown as a card below a text-only post."),
    "alt_text": Option(Text(longest=1_000), "What the file shows, for those who cannot see it."),
    "location_id": Option(_ID, "Id of a place."),
    "quote_post_id": Option(_ID, "Id of a post that is quoted."),
    "spoiler": Option(_YES_OR_NO, "Hides the file until it is tapped."),
    "countries": Option(
        Many(of=_COUNTRY, most=250), "Two-letter codes of the countries it is shown in."
    ),
    "reply_approvals": Option(_YES_OR_NO, "Shows replies only once they are approved."),
    "share_to_ig_story": Option(_YES_OR_NO, "Shares it to the Instagram story too."),
    "ghost": Option(_YES_OR_NO, "Lets a text-only post disappear after a day."),
    "first_comment": Option(Text(longest=500), "Posted as a reply right after the post."),
}
_PINTEREST: Options = {
    "board": Option(Text(longest=100), "Id of the board, digits only. Required to send."),
    "board_section": Option(Text(longest=100), "Id of a section of the board."),
    "title": Option(Text(longest=100), "The pin's title."),
    "link": Option(_TEXT, "Where a click on the pin leads."),
    "alt_text": Option(Text(longest=500), "What it shows, for those who cannot see it."),
    "cover_second": Option(Number(most=900), "Second of the video at which its cover is taken."),
    "dominant_color": Option(
        Text(longest=7, pattern="#[0-9A-Fa-f]{6}"), "Colour shown while the pin loads."
    ),
}
_BLUESKY: Options = {
    "link": Option(
        Link(),
        "Link shown with a preview if there is no file; true: the first of the caption.",
    ),
    "alt": Option(_ALT, "What the file shows, for those who cannot see it."),
    "langs": Option(
        Many(of=Text(longest=35, pattern="[A-Za-z0-9-]+"), most=3), "Languages of the text."
    ),
    "reply_settings": Option(
        Choice(("everyone", "nobody", "mentioned", "followers", "following")),
        "Who may reply (default everyone).",
    ),
    "disable_quotes": Option(_YES_OR_NO, "Keeps others from quoting it."),
    "labels": Option(
        Many(of=Text(longest=128), most=10), "Content warnings, such as graphic-media."
    ),
    "tags": Option(Many(of=Text(longest=640), most=8), "Hashtags that do not show in the text."),
}
_REDDIT: Options = {
    "subreddit": Option(
        Text(longest=30, pattern="(?:/?[ru]/)?[A-Za-z0-9_-]{2,24}/?"),
        "The community, or u_name for a profile. Required to send.",
    ),
    "title": Option(Text(longest=300), "The post's title; else the caption's first line."),
    "kind": Option(
        Choice(("self", "link", "image", "video")), "What is submitted; else the file decides."
    ),
    "link": Option(_TEXT, "The address of a link post."),
    "flair_id": Option(Text(longest=36), "Id of the flair, where the community wants one."),
    "flair_text": Option(Text(longest=64), "Text of an editable flair, beside flair_id."),
    "nsfw": Option(_YES_OR_NO, "Marks it as not safe for work."),
    "spoiler": Option(_YES_OR_NO, "Marks it as a spoiler."),
    "send_replies": Option(_YES_OR_NO, "Sends replies to the inbox (default true)."),
}
_GOOGLE_BUSINESS_PROFILE: Options = {
    "topic_type": Option(
        Choice(("STANDARD", "EVENT", "OFFER")), "What kind of post it is (default STANDARD)."
    ),
    "call_to_action": Option(
        Fields(
            of={
                "type": Choice(("BOOK", "ORDER", "SHOP", "LEARN_MORE", "SIGN_UP", "CALL")),
                "url": _TEXT,
            },
            required=("type",),
        ),
        "The post's button; CALL takes no url, the others need one.",
    ),
    "language": Option(Text(longest=35, pattern="[A-Za-z0-9-]+"), "Language of the text."),
    "event": Option(
        Fields(of={"title": Text(longest=58), "start": _TEXT, "end": _TEXT}, required=("title",)),
        "The event, or when an offer holds, in the location's own time.",
    ),
    "offer": Option(
        Fields(of={"coupon": Text(longest=58), "url": _TEXT, "terms": Text(longest=5_000)}),
        "What is offered; needs event too.",
    ),
}

KNOWN: Mapping[Platform, Options] = MappingProxyType(
    {
        Platform.INSTAGRAM: _INSTAGRAM,
        Platform.TIKTOK: _TIKTOK,
        Platform.YOUTUBE: _YOUTUBE,
        Platform.LINKEDIN: _LINKEDIN,
        Platform.X: _X,
        Platform.FACEBOOK: _FACEBOOK,
        Platform.THREADS: _THREADS,
        Platform.PINTEREST: _PINTEREST,
        Platform.BLUESKY: _BLUESKY,
        Platform.REDDIT: _REDDIT,
        Platform.GOOGLE_BUSINESS_PROFILE: _GOOGLE_BUSINESS_PROFILE,
    }
)
"""Each platform's options, besides `trim`."""
