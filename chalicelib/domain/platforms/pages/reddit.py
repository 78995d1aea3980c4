"""Reddit's facts: www.reddit.com/dev/api#POST_api_submit."""

from datetime import timedelta
from typing import Final

from chalicelib.domain.platforms.facts import Facts, Figure, Limits
from chalicelib.domain.platforms.files import JPEG, PNG, Cover, Photos, Videos
from chalicelib.domain.platforms.layout import Chosen, Layout
from chalicelib.domain.platforms.option import Group, Option, When
from chalicelib.domain.platforms.option_rules import Choice, Flag, Form, Text
from chalicelib.domain.platforms.shared_options import CROP, TRIM, cover_picture
from chalicelib.domain.platforms.texts.marks import communities, web_links
from chalicelib.domain.platforms.texts.titles import option_text, reddit_title

# Candocia 2017, scores in six subreddits: 6-8, US Central. Stanford 2013 (132,000 posts, ICWSM):
# 8-16 UTC, which is 2-10 there. Both look at when successful posts were sent, not at readers.
# https://maxcandocia.com/article/2017/Jul/29/what-time-to-post-to-reddit/
# fmt: off
_ACTIVITY: Final = (
    22, 20, 28, 40, 55, 76, 94, 100, 92, 82, 70, 62,
    58, 56, 55, 52, 50, 50, 50, 50, 48, 44, 36, 28,
)
# fmt: on


def _community(options: Chosen) -> str | None:
    name = option_text(options, "subreddit").strip("/")
    return name if not name or name[:2] in ("r/", "u/") else f"r/{name}"


FACTS: Final = Facts(
    name="Reddit",
    mark="r/",
    limits=Limits(caption=40_000),
    photos=Photos(formats=frozenset({JPEG, PNG}), most_bytes=20_000_000),
    videos=Videos(with_poster=True, cover=Cover(most_bytes=20_000_000)),
    read_lag=timedelta(seconds=60),
    activity=_ACTIVITY,
    figures=frozenset({Figure.LIKES, Figure.COMMENTS, Figure.SHARES}),
    layout=Layout(
        acts=("up", "downr", "reply", "share"),
        marks=(web_links, communities),
        title=reddit_title,
        place=_community,
        link_beside_file=True,
    ),
    quiet_options=lambda account: {
        "subreddit": f"u_{account.handle.removeprefix('u/')}",
        "send_replies": False,
    },
    links_alone=True,
    lasting_api=("no version", "https://www.reddit.com/dev/api"),
    options=(
        TRIM,
        CROP,
        cover_picture(),
        Option(
            "subreddit",
            Text(longest=30, pattern="(?:/?[ru]/)?[A-Za-z0-9_-]{2,24}/?"),
            label="Community",
            help="The community, or u_name for a profile.",
            note=". Required to send",
            group=Group.REQUIRED,
            offered=True,
        ),
        Option(
            "title",
            Text(longest=300),
            label="Title",
            help="The post's title; by default the caption's first line.",
            group=Group.COMMON,
        ),
        Option(
            "kind",
            Choice({"self": "Text", "link": "Link", "image": "Image", "video": "Video"}),
            label="Post type",
            help="What is submitted; by default the file decides.",
        ),
        Option(
            "link",
            Text(),
            label="Link",
            help="The address of a link post.",
            when=When("kind", ("link",)),
            asked_as=Form.ADDRESS,
        ),
        Option(
            "flair_id",
            Text(longest=36),
            label="Flair",
            help="Id of the flair, where the community wants one.",
            group=Group.COMMON,
            offered=True,
            offered_by="subreddit",
        ),
        Option(
            "flair_text",
            Text(longest=64),
            label="Flair text",
            help="Text of an editable flair, beside flair_id.",
        ),
        Option(
            "markdown",
            Flag(),
            label="Markdown",
            help="Treats the caption as Markdown; otherwise it is shown as written.",
        ),
        Option("nsfw", Flag(), label="NSFW", help="Marks it as not safe for work."),
        Option("spoiler", Flag(), label="Spoiler", help="Marks it as a spoiler."),
        Option(
            "send_replies",
            Flag(),
            label="Replies to the inbox",
            help="Sends replies to the inbox.",
            default=True,
        ),
    ),
)
