"""A bakery's week, planned, out and failed, with a month of results, at one moment of one day."""

import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageDraw

from chalicelib.domain.analytics.counters import DayCounters, Kind, Standing, hour_mark
from chalicelib.domain.analytics.learning import Learned
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.domain.analytics.post_metrics import (
    Snapshot,
    StoredPostMetrics,
    StoredTargetMetrics,
)
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.access import Role
from chalicelib.domain.workspace.key_form import key_hash
from chalicelib.domain.workspace.profiles import Profile
from chalicelib.kit.dynamodb.items import attributes, stamp
from chalicelib.services.app import demo_week
from chalicelib.storage.analytics.items import day_counters_item, post_metrics_item
from chalicelib.storage.tables import Key, fresh_key
from chalicelib.storage.workspace.callers import key_item_key
from chalicelib.storage.workspace.items import account_key, member_key, workspace_key
from tests.api.http_room import Document, House, Room

NOW = datetime(2026, 11, 25, 8, 42, tzinfo=UTC)
"""A Wednesday, 09:42 in Berlin."""
PHOTOS = (Path(__file__).parent / "photos", Path(demo_week.__file__).parent / "demo_photos")

OneAccount = tuple[str, str, int | None, str]
ACCOUNTS: Sequence[OneAccount] = (
    ("instagram", "sauerteig.co", 9412, "#1f4d3a"),
    ("x", "@sauerteigco", 3087, "#1f4d3a"),
    ("linkedin", "Sauerteig & Co", 1284, "#f2dfc0"),
    ("facebook", "Sauerteig & Co", 6730, "#1f4d3a"),
    ("bluesky", "sauerteig.example", 871, "#b5482a"),
    ("google business profile", "Marktplatz", None, ""),
)


class Plan(NamedTuple):
    """One post: hours from NOW's midnight in Berlin, text, photo, accounts by their platforms."""

    hour: float
    text: str
    photo: str
    platforms: tuple[str, ...]


FAILED = "Rolls, six kinds, one baker, four in the morning."
"""What it says of the one that failed, once the sandbox was told to refuse it."""
PAST = (
    Plan(7, "Pretzels until ten, and then no more.", "pretzel", ("instagram", "x")),
    Plan(11.5, "Why your bread goes stale in the fridge.", "slices", ("linkedin", "facebook")),
    Plan(9, "Baguettes rest for 18 hours. You wait for eight minutes.", "buns", ("instagram",)),
    Plan(18.25, "Berry tart, the last of the year.", "tart", ("instagram", "facebook")),
    Plan(8.25, "Our wheat: eleven kilometres, one field, one family.", "field", ("linkedin", "x")),
    Plan(15, "A flat white and a warm roll.", "coffee", ("facebook", "google business profile")),
    Plan(17.5, "How we score a loaf, in nine cuts.", "boule", ("instagram", "x", "bluesky")),
    Plan(12, "What is your Sunday roll? Tell us below.", "", ("x", "bluesky")),
    Plan(10, "Hilde, our sourdough, turns thirty.", "slices", ("instagram", "linkedin")),
)
"""Two a day of them went out in the weeks before, in turn; hours from each day's midnight."""
OUT = (
    Plan(-41, "Our wheat comes from eleven kilometres away.", "field", ("linkedin", "bluesky")),
    Plan(-18, "How we score a loaf, in nine cuts.", "boule", ("instagram", "x")),
    Plan(-11.5, "Berry tart for the weekend: order by Thursday noon.", "tart", ("instagram", "x")),
    Plan(-7, f"{FAILED} sandbox:fail:media_too_large", "buns", ("x",)),
    Plan(
        7,
        "Pretzels at half past six. Salt still warm, butter still cold.",
        "pretzel",
        ("instagram", "x", "linkedin"),
    ),
    Plan(8.25, "New opening hours from December: Sundays 7 to 12.", "", ("facebook",)),
)
COMING = (
    Plan(
        11.5,
        "Thirty years ago today we lit the oven for the first time. Same stone, same starter, a"
        " little more grey hair.",
        "boule",
        ("instagram", "x", "linkedin"),
    ),
    Plan(15, "A flat white and a warm roll: until five.", "coffee", ("facebook",)),
    Plan(20.5, "Cinnamon buns are back on Fridays. You asked 214 times.", "buns", ("instagram",)),
    Plan(31, "What is your Sunday roll? Tell us below.", "", ("x", "bluesky")),
    Plan(35.5, "Meet Hilde, our sourdough: thirty years old.", "slices", ("instagram", "facebook")),
    Plan(42.25, "Baguettes rest for 18 hours. You only wait until eight.", "field", ("linkedin",)),
    Plan(56.5, "Friday: cinnamon buns, from seven.", "buns", ("instagram", "facebook", "x")),
    Plan(59.5, "Two loaves for one, this week only.", "boule", ("x", "facebook")),
    Plan(66.25, "Berry tart, until it is gone.", "tart", ("instagram",)),
    Plan(81.5, "Saturday in the market.", "pretzel", ("facebook", "google business profile")),
    Plan(90, "A roll costs what it costs: how we work out a price.", "", ("linkedin",)),
    Plan(105.5, "Sunday, seven to twelve.", "coffee", ("facebook", "google business profile")),
    Plan(131, "A week of rye begins.", "slices", ("instagram", "x", "bluesky")),
    Plan(138.25, "Why a crust sings when it cools.", "boule", ("instagram", "linkedin")),
    Plan(155, "We look back on November.", "field", ("linkedin",)),
)
ASKED = (
    Plan(56.5, "Stollen: the fruit has been in rum since September.", "slices", ("instagram", "x")),
    Plan(0, "We look for an apprentice for 2027.", "", ("linkedin",)),
)
DRAFT = Plan(0, "Leftover bread, three soups.", "field", ("instagram", "x"))
_DAYS = 60
_DAYS_PLANNED = 25
_VIEWS = (900, 1250, 1040, 1510, 1790, 1320, 860)
_SHARES: Mapping[Platform, tuple[int, int]] = {
    Platform.INSTAGRAM: (18, 45),
    Platform.X: (12, 17),
    Platform.FACEBOOK: (11, 24),
    Platform.LINKEDIN: (8, 14),
}
"""The hour at which each platform's posts went out, and its share of the views in per cent."""


@dataclass(frozen=True, slots=True)
class Bakery:
    """The workspace, and the posts that pages show."""

    room: Room
    out: Document
    failed: Document
    next: Document
    draft: Document
    review_link: str
    client_link: str


def open_bakery(house: House) -> Bakery:
    """Fill a workspace of its own and let the clock stand at NOW."""
    house.clock.now = NOW - timedelta(days=_DAYS_PLANNED + 1)
    room = house.room(timezone="Europe/Berlin", approvals=True)
    _name(room)
    room.house.deployment.people.pictures.rows.put(room.workspace_id, _picture("#1f4d3a"))
    _connect(room)
    files = {path.stem: room.upload(path.read_bytes(), path.name) for path in _photos()}
    past = [_scheduled(room, plan, files) for plan in _weeks_before()]
    room.pass_time(NOW - timedelta(days=3) - house.clock.now)
    out = [_scheduled(room, plan, files) for plan in OUT]
    coming = [_scheduled(room, plan, files) for plan in COMING]
    room.pass_time(NOW - house.clock.now)
    _say_what_failed(room, out[3]["id"])
    writer = room.member(Role.CONTRIBUTOR, name="Jonas")
    asked = [_draft(writer, plan, files) for plan in ASKED]
    live = [room.show(post) for post in (out[4], out[2], out[1], *reversed(past), out[0], out[5])]
    _keep_results(room, live)
    draft = _draft(room, DRAFT, files)
    _label(room, coming)
    _group(room)
    link = _review_link(room, asked[0]["id"])
    client = _client_link(room)
    _call_real(room)
    return Bakery(room, room.show(out[4]), room.show(out[3]), coming[0], draft, link, client)


def open_empty(house: House) -> Room:
    """Return a workspace with an account and nothing written yet."""
    house.clock.now = NOW - timedelta(seconds=1)
    room = house.room(timezone="Europe/Berlin")
    _name(room)
    _connect(room, ACCOUNTS[:1])
    _call_real(room)
    return room


def _weeks_before() -> Iterator[Plan]:
    """Yield what went out before this week, two posts a day."""
    for place in range(2 * (_DAYS_PLANNED - 2)):
        plan = PAST[place % len(PAST)]
        yield plan._replace(hour=24 * (place // 2 - _DAYS_PLANNED) + plan.hour)


def _say_what_failed(room: Room, post_id: str) -> None:
    """Put the words of a customer's post and of a platform in place of those for the sandbox."""
    posts = room.house.deployment.stores.posts
    before = posts.get(room.workspace_id, post_id)
    refused = "The picture is over 5 MB, and X takes no more."
    targets = tuple(replace(one, error_message=refused) for one in before.targets)
    posts.save(before, replace(before, caption=FAILED, targets=targets), events=())


def _name(room: Room) -> None:
    """Name the workspace and its owner."""
    caller = room.house.deployment.workspace.authentication.authenticate(f"Bearer {room.key}")
    _set(room, workspace_key(room.workspace_id), name="Sauerteig & Co")
    _set(room, member_key(room.workspace_id, caller.member_id), name="Mara")
    _set(room, key_item_key(key_hash(room.key)), member_name="Mara")


def _call_real(room: Room) -> None:
    """Let the accounts be no test accounts any more, as a customer's are none; one must sign in."""
    for platform, account_id in room.accounts.items():
        key = account_key(room.workspace_id, account_id)
        _set(room, key, test=False)
        if platform in ("x", "bluesky"):
            _set(room, key, name="Sauerteig & Co")
        if platform == "linkedin":
            ends = "The sign-in ends on 2026-12-03. Reconnect the account before that."
            until = {"token_expires_at": stamp(NOW + timedelta(days=8))}
            _set(room, key, health="warn", health_reason=ends, **until)


def _set(room: Room, key: Key, **values: str | bool) -> None:
    """Put values into a row in the place of those that it had."""
    deployment = room.house.deployment
    for name, value in values.items():
        deployment.clients.dynamodb.update_item(
            TableName=deployment.tables.directory,
            Key=attributes(key),
            UpdateExpression="SET #name = :value",
            ExpressionAttributeNames={"#name": name},
            ExpressionAttributeValues=attributes({":value": value}),
        )


def _label(room: Room, posts: Sequence[Document]) -> None:
    """Give two labels to some of what is coming, both to one post."""
    for (name, colour), step in ((("Christmas", "red"), 3), (("Behind the oven", "blue"), 4)):
        label = room.post("/v1/labels", {"name": name, "colour": colour}).json
        for post in posts[::step]:
            given = room.get(f"/v1/posts/{post['id']}/labels").json["data"]
            ids = [one["id"] for one in [*given, label]]
            path = f"/v1/posts/{post['id']}/labels"
            assert room.ask("PUT", path, body={"label_ids": ids}).status == 200


def _group(room: Room) -> None:
    services = room.house.deployment.workspace
    caller = services.authentication.authenticate(f"Bearer {room.key}")
    chosen = [room.accounts["instagram"], room.accounts["x"]]
    services.account_groups.add(caller, name="Sauerteig", account_ids=chosen)


def _review_link(room: Room, post_id: str) -> str:
    services = room.house.deployment
    caller = services.workspace.authentication.authenticate(f"Bearer {room.key}")
    return services.people.reviews.make_link(caller, post_id)


def _client_link(room: Room) -> str:
    services = room.house.deployment
    caller = services.workspace.authentication.authenticate(f"Bearer {room.key}")
    return services.people.client_pages.make(caller, "Sauerteig", room.accounts.values(), 30)


def _photos() -> Iterator[Path]:
    yield from sorted(file for folder in PHOTOS for file in folder.glob("*.jpg"))


def _connect(room: Room, accounts: Sequence[OneAccount] = ACCOUNTS) -> None:
    services = room.house.deployment
    room.post("/v1/queue-slots", {"weekdays": [0, 1, 2, 3, 4], "time": "18:15"})
    for platform, handle, followers, colour in accounts:
        room.house.clock.pass_time(timedelta(seconds=1))  # accounts stand by their age
        room.accounts[platform] = room.connect(platform, handle)
        picture = _picture(colour) if colour else None
        profile = Profile(
            account_id=room.accounts[platform],
            read_at=NOW,
            followers=followers,
            picture=picture,
            counted=((NOW - timedelta(days=7), followers - followers // 240),) if followers else (),
        )
        services.stores.profiles.put(room.workspace_id, profile)


def _picture(colour: str) -> bytes:
    """Draw an ear of wheat on a colour."""
    image = Image.new("RGB", (96, 96), colour)
    pen = ImageDraw.Draw(image)
    light = "#8a4b08" if colour == "#f2dfc0" else "#f6e3bd"
    pen.line((48, 22, 48, 80), fill=light, width=4)
    for height in (30, 42, 54):
        pen.ellipse((31, height, 45, height + 16), fill=light)
        pen.ellipse((51, height, 65, height + 16), fill=light)
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def _draft(room: Room, plan: Plan, files: Mapping[str, str], *, timed: bool = True) -> Document:
    room.house.clock.pass_time(timedelta(seconds=1))  # lists stand by age
    body: Document = {"media_ids": [files[plan.photo]]} if plan.photo else {}
    post = room.draft(*plan.platforms, caption=plan.text, **body)
    return post if not (timed and plan.hour) else _timed(room, post, plan)


def _timed(room: Room, post: Document, plan: Plan) -> Document:
    targets = [{"id": one["id"], "scheduled_at": _at(plan)} for one in post["targets"]]
    answer = room.patch(post, {"targets": targets})
    assert answer.status == 200, answer
    return answer.json


def _scheduled(room: Room, plan: Plan, files: Mapping[str, str]) -> Document:
    post = _draft(room, plan, files, timed=False)
    answer = room.act(post, "schedule", {"at": _at(plan)})
    assert answer.status == 200, answer
    return answer.json


def _at(plan: Plan) -> str:
    midnight = NOW.replace(hour=23, minute=0) - timedelta(days=1)
    return (midnight + timedelta(hours=plan.hour)).isoformat()


def _seen(post: Document, views: int) -> StoredPostMetrics:
    """Return how often a post was seen and liked on each of its accounts."""
    targets = {}
    for place, target in enumerate(post["targets"]):
        live_at = datetime.fromisoformat(target["published_at"])
        counts = Metrics(
            views=views >> place, likes=views // (12 + 3 * place), comments=views // 400
        )
        targets[target["id"]] = StoredTargetMetrics(
            platform=Platform(target["platform"]),
            live_at=live_at,
            hour=live_at.hour,
            days={NOW.date(): Snapshot(NOW, counts)},
        )
    return StoredPostMetrics(post_id=post["id"], live_day=NOW.date(), targets=targets)


def _keep_results(room: Room, posts: Sequence[Document]) -> None:
    """Write two months of results, and what they taught, as the metrics worker would have."""
    deployment = room.house.deployment
    for post in posts:
        for target in post["targets"]:
            deployment.clients.dynamodb.delete_item(
                TableName=deployment.tables.posts,
                Key=attributes(fresh_key(room.workspace_id, post["id"], target["id"])),
            )
    for place, post in enumerate(posts):
        seen = _seen(post, 9_000 - place * 311 % 8_000)
        row = post_metrics_item(room.workspace_id, seen, None)
        deployment.clients.dynamodb.put_item(
            TableName=deployment.tables.posts, Item=attributes(row)
        )
    for ago in range(_DAYS):
        day, views = NOW.date() - timedelta(days=ago), _VIEWS[ago % 7] * (300 - ago) // 30
        counters = Counter({(Kind.POSTS, ""): 3 + ago % 2, (Kind.GAINED, day.isoformat()): views})
        for platform, (hour, share) in _SHARES.items():
            mark = hour_mark(platform, hour + ago % 7 % 2)
            counters[Kind.TARGETS, mark] += 1
            counters[Kind.VIEWS, mark] += views * share // 100
            counters[Kind.ENGAGED, platform.value] += views * share // 1400
        counters[Kind.LIKES, ""] = views // (13 + ago % 4)
        counters[Kind.COMMENTS, ""] = views // (240 - ago)
        counters[Kind.SHARES, ""] = views // (300 + ago)
        counters[Kind.FOLLOWERS, ""] = views // (330 + ago)
        platforms = tuple(_SHARES)[:2]
        top = (
            (Standing(post_id=posts[ago]["id"], views=views * 2 // 3, platforms=platforms),)
            if ago < len(posts)
            else ()
        )
        sums = DayCounters(day=day, counters=counters, top=top)
        row = day_counters_item(room.workspace_id, sums)
        deployment.clients.dynamodb.put_item(
            TableName=deployment.tables.posts, Item=attributes(row)
        )
    lift = tuple(200 if hour == 18 else 90 + hour for hour in range(24))
    learned = Learned(
        timezone="Europe/Berlin",
        lifts={Platform.INSTAGRAM: lift, Platform.X: lift},
        on_weekdays={(Platform.X, NOW.weekday()): lift},
    )
    deployment.posting.golden_hours.results.keep_learned(room.workspace_id, learned)
