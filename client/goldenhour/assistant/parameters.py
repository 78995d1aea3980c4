"""The tools' parameters: what an assistant is told of each, written once."""

from typing import Annotated

from pydantic import BeforeValidator, Field

_EMPTY_IS_NONE = BeforeValidator(lambda given: None if given == "" else given)
"""Some models write "" for what they leave out."""

PostId = Annotated[str, Field(description="The post, by its id: `post_id` of other answers.")]
TargetId = Annotated[str, Field(description="One account's part of the post: `id` in `targets`.")]
At = Annotated[
    str,
    Field(
        description='When: "tomorrow 09:00", "tomorrow at 9", "friday 18:30", "in 2 hours",'
        ' "2026-12-01 09:00", or with its offset "2026-12-01T09:00:00+01:00".'
    ),
]
Zone = Annotated[
    str | None,
    Field(
        description="Time zone of the times here and in the answer, as Europe/Paris. Ask the"
        " person; without it the server's own zone is meant."
    ),
]
AccountName = Annotated[
    str, Field(description="An account: its id, platform, handle or platform:handle.")
]
AccountNames = Annotated[
    list[str],
    Field(
        min_length=1,
        description='Accounts: ids, platforms or platform:handle, as ["linkedin", "x:bakery"].',
    ),
]
SomeAccountNames = Annotated[
    list[str] | None,
    Field(description="Accounts: ids, platforms or platform:handle; none if left out."),
]
Caption = Annotated[str, Field(description="The text for every account.")]
NewCaption = Annotated[
    str | None, Field(description="The new text for every account; unchanged if left out.")
]
Captions = Annotated[
    dict[str, str] | None,
    Field(
        description="Texts for single accounts in the place of `caption`, by platform or"
        ' platform:handle: {"x": "Bread, 7:00"}. When editing, "" goes back to `caption`.'
    ),
]
Options = Annotated[
    dict[str, dict[str, object]] | None,
    Field(
        description='What platforms offer besides, by platform: {"pinterest": {"board": "123"},'
        ' "tiktok": {"privacy_level": "SELF_ONLY"}}; account_choices tells the values. When'
        " editing, the other options stay, and null takes one away."
    ),
]
MediaId = Annotated[str, Field(description="A file, by the `media_id` that an upload returned.")]
SomeMediaId = Annotated[
    str | None,
    _EMPTY_IS_NONE,
    Field(description="The file to post, by the `media_id` that an upload returned; at most one."),
]
NewMediaId = Annotated[
    str | None,
    Field(description='Another file for the post, by its `media_id`; "" takes the file away.'),
]
Key = Annotated[
    str | None,
    Field(
        max_length=80,
        description="Any text that names this draft, as rye-monday-1: when the call is repeated"
        " with it, because no answer came, no second draft is made. Give each draft its own.",
    ),
]
Path = Annotated[str, Field(description="The file's path in the folder that is open here.")]
Url = Annotated[str, Field(description="A public https address of a photo or video.")]
Filename = Annotated[str, Field(description="The file's name with its ending, as loaf.jpg.")]
SizeBytes = Annotated[int, Field(ge=1, description="How many bytes the file has, exactly.")]
Subreddit = Annotated[
    str | None,
    _EMPTY_IS_NONE,
    Field(description="For a Reddit account: also this community's flairs."),
]
Board = Annotated[
    str | None,
    _EMPTY_IS_NONE,
    Field(description="For a Pinterest account: also this board's sections."),
]
PlaceWords = Annotated[
    str | None,
    _EMPTY_IS_NONE,
    Field(description="Words that find places to tag: Facebook, Instagram, Threads."),
]
Statuses = Annotated[
    str | None,
    Field(
        description="Only these, with commas between: draft, scheduled, publishing, published,"
        " partial, failed, cancelled."
    ),
]
OnlyPlatforms = Annotated[
    list[str] | None, Field(description='Only posts to these platforms, as ["x", "linkedin"].')
]
OnlyAccounts = Annotated[
    list[str] | None,
    Field(description='Only posts to these accounts: ids or platform:handle, as ["x:bakery"].'),
]
ByTime = Annotated[
    bool, Field(description="Earliest time first, in the place of newest; without a time last.")
]
_DAYS = (
    '"2026-12-01" (the day\'s beginning), "yesterday", "today", "tomorrow", or as `at` elsewhere'
)
Since = Annotated[
    str | None,
    _EMPTY_IS_NONE,
    Field(
        description=f"Only posts due at this time or later, in `zone`: {_DAYS}. good_times tells"
        " what day it is."
    ),
]
Until = Annotated[
    str | None,
    _EMPTY_IS_NONE,
    Field(description=f"Only posts due before this time, in `zone`: {_DAYS}."),
]
Text = Annotated[str | None, Field(description="Only posts whose caption contains this.")]
Limit = Annotated[int, Field(ge=1, le=100, description="How many at most.")]
SomePostId = Annotated[
    str | None,
    _EMPTY_IS_NONE,
    Field(description="One post's results; without it those of the workspace."),
]
Days = Annotated[int, Field(ge=7, le=90, description="Without a post: how many days back.")]
