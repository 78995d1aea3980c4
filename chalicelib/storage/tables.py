"""Every key, index and question of the tables: a pattern that is not in this chart does not exist.

Tables come from `infra/resources.json`; each has the string keys `pk` and `sk`.

posts      one partition per post, so one query reads a post with its targets
  pk                      sk                what
  <post id>               POST              the post
  <post id>               TARGET#<id>       a target; the unit of concurrency (`version`)
  <post id>               EVENT#<id>        history, append-only
  <post id>               ATTEMPT#<id>      history, append-only
  <post id>               LABELS, LABEL#<id>  its labels, and its place among the posts with each
  IDEMPOTENCY#<ws>#<key>  KEY               which post a key made
  REMOTE#<platform>#<id>  REMOTE            which target a live post belongs to
  RESULTS#<workspace id>  POST#<post id>    a post's figures: a snapshot a day for each target
  RESULTS#<workspace id>  DAY#<date>        the sum of all posts that went live that day
  RESULTS#<workspace id>  LEARNED           what the sums teach about hours
  LIVE#<workspace id>#<0-3>  LIVE#<post>#<target>  a target that went live, not in the sums yet
directory  one partition per workspace
  WORKSPACE#<id>          WORKSPACE, MEMBER#<id>, ACCOUNT#<id>, SLOT#<id>, IDENTITY#<platform>#<id>
  WORKSPACE#<id>          TOKEN#<account id> an account's sealed tokens and the lock of refreshing
  WORKSPACE#<id>          LABELS            its labels
  WORKSPACE#<id>          SERIES#<id>       a post that comes again
  WORKSPACE#<id>          WORDS#<id>        a saved text, or an account's signature
  WORKSPACE#<id>          CHOOSER#GROUP#<id>, CHOOSER#TIMES  groups of accounts, and what is chosen
  WORKSPACE#<id>          UNREAD#<member>#<comment>  a comment not settled yet; expires
  WORKSPACE#<id>          PLAN#<id>, PLANLINE#<id>#<line>  a sheet and its lines; 30 days
  WORKSPACE#<id>          USE#<period>      allowance counters of a month, or of the trial
  WORKSPACE#<id>          TAKEN#<instant>#<post id>  a post goes out then; expires by itself
  WORKSPACE#<id>          QUEUED#<instant>  a queue time held by one post
  WORKSPACE#<id>          LINK#<sha256>     a link; expires
  WORKSPACE#<id>          BROWSER#<member>#<sha256>  a browser in which a member is told
  PUSH_KEY                PUSH_KEY          what signs messages to browsers
  PERSON#<id>             PERSON, SESSION#<sha256>, PASSKEY#<sha256>  a person
  ADDRESS#<sha256>        ADDRESS           whose an e-mail address is
  ACTIVITY#<workspace>    <instant>#<random>  what was done by whom from where; 400 days
  WORKSPACE#<id>          PROFILE#<account id>  an account's followers and picture
  WORKSPACE#<id>          PICTURE           its own picture, which strangers with a link see
  WORKSPACE#<id>          APPLICATION#<platform>#<way>  its own application, sealed
  FLOW#<sha256>           FLOW              a sign-in at a platform under way; expires
  SHARE#<workspace>       <instant>         requests of ten seconds; expires by itself
  CHALLENGE#<sha256>      CHALLENGE         what a passkey has signed; expires
  QUESTION_KEY            QUESTION_KEY      what makes challenges of what browsers keep
  DELETED                 <workspace id>    when a workspace was deleted; stays
  DELETIONS               <workspace id>    how far its deletion is
  EXPORTS                 <workspace id>    an export that an owner asked for; 7 days
  APPLICATIONS            <platform>#<way>  an application to sign in with, sealed
  KEY#<sha256>            KEY               a key with all that a key check needs
  ENGINE                  SWITCH            paused or not
  MOVED#<workspace id>    MOVED             where it moves or moved; shut, its own row is AWAY
  PROFILES                READ              when profiles were last gone through
  SERIES                  READ              when series were last gone through
  TICK                    TICK              when the last tick was that sent everything
  PACE#<account id>       PACE              when the account's next late target may go
media      one partition per file
  <media id>              MEDIA             a file, or an upload that is none yet (`state`)
  <media id>              USE#<post id>     a post uses it; demands `list_workspace` on MEDIA
  STORAGE#<workspace>     STORAGE           bytes of its files, and of uploads under way
  COPY#<media id>         PREPARED#<recipe> a copy for platforms: asked for, being made, or made
  COPY#LANE#<workspace>   PLACE#<n>         a long conversion of a workspace is running
  FETCH#LANE#<workspace>  PLACE#<n>         a file is being fetched for it; ALL counts them
  PULL#<token>            PULL              which object a platform may fetch; expires by itself

question                              table      how                                   guard
a post with its targets               posts      query pk, sk >= POST                  consistent
a post's history                      posts      query pk, sk < POST                   pages
posts of a workspace, newest first    posts      index by_workspace, then each          page
posts with a status                   posts      index by_status, 4 shards, batch get  page
posts being posted                    posts      index by_status (targets), batch get  page
posts with a label                    posts      index by_status (labels), batch get   page
labels of a post, of a workspace      both       get, batch get LABELS                 version
deleted posts that have words left    posts      index by_status, 4 shards, then a query    version
deleted posts of a workspace          posts      index by_status, 4 shards             pages
posts with a time in a window         posts      index by_time, then batch get         page
posts that wait for review            posts      index by_time (posts), batch get      page
which targets wake soon               posts      index wake, 16 shards                 limit
which targets live posts belong to    posts      batch get REMOTE#                       consistent
rows of a deleted workspace           each       scan, from the last key on          the owner
claim a target                        posts      update, one condition                 token
which posts' figures are due          posts      index look, 16 shards                 limit
posts with all that the books know    posts      batch get: posts, targets, results    version
days of a window                      posts      query RESULTS#, DAY#                  page
what is fresh                         posts      query LIVE#, 4 shards                 page
a post's figures                      posts      get RESULTS#, POST#                   consistent
where a workspace moved               directory  get                                   consistent
which sign-ins need a look            directory  index watch, one partition            page
requests of a workspace in a window   directory  update, add                           total
series of a workspace                 directory  query SERIES#                         version
saved texts of a workspace            directory  query WORDS#                          consistent
groups of accounts, and use of each   directory  query CHOOSER#                        consistent
comments that members have not settled  directory  query UNREAD#                       consistent
plans of a workspace, lines of a plan  directory  query PLAN#, PLANLINE#<id>#          version
is this queue time free               directory  query TAKEN# between two instants     page
a file, or how its upload stands      media      get                                   consistent
newest files that can be posted       media      index by_workspace, then batch get    200
which posts use a file                media      query pk, sk begins USE#              consistent
an upload becomes a file              media      put; update STORAGE#                  unfinished
bytes that a workspace keeps          media      get, batch get STORAGE#               limit
a copy by a recipe, or ask for it     media      get; put or update, one condition     what was read
making a copy                         media      update, put; one condition            maker
a place for a long conversion         media      update, delete; one condition         maker
a place for fetching a file           media      update, delete; one condition         maker
copies of a file                      media      query pk COPY#                        consistent
what an address for platforms opens   media      get PULL#; put under a random token   consistent
whose review is due                   media      index by_review, 4 shards             1,000 a run
"""

from collections.abc import Collection, Mapping
from datetime import date, datetime
from types import MappingProxyType
from typing import Final

from chalicelib.domain.posts.post import PostStatus
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.items import stamp

ROW_FORMAT = 2
"""The format of the rows that this release writes, kept beside them as a parameter of the stage.

A change that the previous release could not read raises it, and `local/data_directory.FORMAT`: then
no stage is rolled back or deployed to code that would misread its rows. New attributes do not, nor
new events, notices or kinds of messages: the previous release ignores them. It drops an unknown
attribute when it writes the row again, so an attribute that must not be lost raises it, too. 2:
sessions and passkeys are their persons', no longer rows of a workspace.
"""

STORED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "catching_up": "paced",
        "duration_s": "duration_ms",
        "fps": "fps_thousandths",
        "lateness_s": "lateness_ms",
        "sends_as": "goes_as",
    }
)
"""Attributes that are named differently than their fields, by field. Packed JSON has its own."""

SHARDS = 16
"""A partition takes 1,000 writes a second (DynamoDB guide, "Using write sharding to distribute
workloads evenly"): targets that wake, and posts that are polled, have several."""
LIVE_SHARDS = 4
"""A partition takes 1,000 writes a second; a mark in a transaction counts as two."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """The names of one deployment's tables."""

    posts: str
    directory: str
    media: str


Key = dict[str, str]


def post_key(post_id: str) -> Key:
    """Key of a post's own row."""
    return {"pk": post_id, "sk": "POST"}


def target_key(post_id: str, target_id: str) -> Key:
    """Key of one target."""
    return {"pk": post_id, "sk": f"TARGET#{target_id}"}


def idempotency_key(workspace_id: str, key: str) -> Key:
    """Key of the row that remembers which post an Idempotency-Key made."""
    return {"pk": f"IDEMPOTENCY#{workspace_id}#{key}", "sk": "KEY"}


def repeat_key(workspace_id: str, verb: str, key: str) -> Key:
    """Key of the row that remembers for a day what an Idempotency-Key made besides posts."""
    return {"pk": f"REPEAT#{workspace_id}#{verb}#{key}", "sk": "REPEAT"}


def remote_key(platform: str, remote_id: str) -> Key:
    """Key of the row that says which target a live post belongs to."""
    return {"pk": f"REMOTE#{platform}#{remote_id}", "sk": "REMOTE"}


def labels_of_post_key(post_id: str) -> Key:
    """Key of the row with a post's labels."""
    return {"pk": post_id, "sk": "LABELS"}


def label_of_post_key(post_id: str, label_id: str) -> Key:
    """Key of the row that puts a post on a label's list."""
    return {"pk": post_id, "sk": f"LABEL#{label_id}"}


def workspace_pk(workspace_id: str) -> str:
    """Partition of everything that belongs to a workspace."""
    return f"WORKSPACE#{workspace_id}"


def moved_key(workspace_id: str) -> Key:
    """Key of the mark that a workspace moves, or has moved, to another deployment."""
    return {"pk": f"MOVED#{workspace_id}", "sk": "MOVED"}


def labels_key(workspace_id: str) -> Key:
    """Key of the row that has a workspace's labels."""
    return {"pk": workspace_pk(workspace_id), "sk": "LABELS"}


def series_key(workspace_id: str, series_id: str) -> Key:
    """Key of a series."""
    return {"pk": workspace_pk(workspace_id), "sk": f"SERIES#{series_id}"}


def words_key(workspace_id: str, text_id: str) -> Key:
    """Key of a saved text, or of an account's signature by the account's id."""
    return {"pk": workspace_pk(workspace_id), "sk": f"WORDS#{text_id}"}


def account_group_key(workspace_id: str, group_id: str) -> Key:
    """Key of a group of accounts."""
    return {"pk": workspace_pk(workspace_id), "sk": f"CHOOSER#GROUP#{group_id}"}


def chosen_times_key(workspace_id: str) -> Key:
    """Key of the row that counts how often accounts were chosen."""
    return {"pk": workspace_pk(workspace_id), "sk": "CHOOSER#TIMES"}


def unread_key(workspace_id: str, member_id: str, comment_id: str) -> Key:
    """Key of a comment that a member has not settled."""
    return {"pk": workspace_pk(workspace_id), "sk": f"UNREAD#{member_id}#{comment_id}"}


def plan_key(workspace_id: str, plan_id: str) -> Key:
    """Key of a sheet of posts."""
    return {"pk": workspace_pk(workspace_id), "sk": f"PLAN#{plan_id}"}


def plan_line_key(workspace_id: str, plan_id: str, number: int) -> Key:
    """Key of a line of a sheet; lines sort by their number."""
    return {"pk": workspace_pk(workspace_id), "sk": f"PLANLINE#{plan_id}#{number:07}"}


def use_key(workspace_id: str, counter: str) -> Key:
    """Key of an allowance counter: a month such as `2026-11`, or `trial`."""
    return {"pk": workspace_pk(workspace_id), "sk": f"USE#{counter}"}


def taken_key(workspace_id: str, at: datetime, post_id: str) -> Key:
    """Key of the mark that a post of the workspace is scheduled at a time."""
    return {"pk": workspace_pk(workspace_id), "sk": f"TAKEN#{stamp(at)}#{post_id}"}


def queued_key(workspace_id: str, at: datetime) -> Key:
    """Key of a queue time that one post holds."""
    return {"pk": workspace_pk(workspace_id), "sk": f"QUEUED#{stamp(at)}"}


def media_key(media_id: str) -> Key:
    """Key of a file's record."""
    return {"pk": media_id, "sk": "MEDIA"}


def media_use_key(media_id: str, post_id: str) -> Key:
    """Key of the mark that a post uses a file."""
    return {"pk": media_id, "sk": f"USE#{post_id}"}


def prepared_row_key(media_id: str, recipe: str) -> Key:
    """Key of the result of a recipe for a file's copy."""
    return {"pk": f"COPY#{media_id}", "sk": f"PREPARED#{recipe}"}


def conversion_place_key(workspace_id: str, place: int) -> Key:
    """Key of one of the places for a workspace's long conversions."""
    return {"pk": f"COPY#LANE#{workspace_id}", "sk": f"PLACE#{place}"}


def fetch_place_key(owner: str, place: int) -> Key:
    """Key of one of the places for fetching files, of a workspace or of the whole service."""
    return {"pk": f"FETCH#LANE#{owner}", "sk": f"PLACE#{place}"}


def storage_key(workspace_id: str) -> Key:
    """Key of the row that counts the bytes of a workspace's files."""
    return {"pk": f"STORAGE#{workspace_id}", "sk": "STORAGE"}


def pull_key(token: str) -> Key:
    """Key of the link behind an address for platforms."""
    return {"pk": f"PULL#{token}", "sk": "PULL"}


def catch_up_key(account_id: str) -> Key:
    """Key of an account's place in the catch-up after an outage."""
    return {"pk": f"PACE#{account_id}", "sk": "PACE"}


def analytics_pk(workspace_id: str) -> str:
    """Partition of a workspace's results."""
    return f"RESULTS#{workspace_id}"


def post_metrics_key(workspace_id: str, post_id: str) -> Key:
    """Key of a post's metrics."""
    return {"pk": analytics_pk(workspace_id), "sk": f"POST#{post_id}"}


def day_counters_key(workspace_id: str, day: date) -> Key:
    """Key of the sum of all posts that went live on a day."""
    return {"pk": analytics_pk(workspace_id), "sk": f"DAY#{day.isoformat()}"}


def fresh_key(workspace_id: str, post_id: str, target_id: str) -> Key:
    """Key of the mark that a target went live and is not in the sums yet.

    A workspace's marks are on several partitions: each target that is posted writes one.
    """
    shard = int(target_id[-4:], 16) % LIVE_SHARDS
    return {"pk": live_pks(workspace_id)[shard], "sk": f"LIVE#{post_id}#{target_id}"}


def live_pks(workspace_id: str) -> tuple[str, ...]:
    """Partitions of the marks of a workspace's targets that are in no sum yet."""
    return tuple(f"LIVE#{workspace_id}#{shard}" for shard in range(LIVE_SHARDS))


def learned_key(workspace_id: str) -> Key:
    """Key of what was learned from a workspace's results."""
    return {"pk": analytics_pk(workspace_id), "sk": "LEARNED"}


SWITCH_KEY: Key = {"pk": "ENGINE", "sk": "SWITCH"}
SERIES_READ_KEY: Key = {"pk": "SERIES", "sk": "READ"}
TICK_KEY: Key = {"pk": "TICK", "sk": "TICK"}
PROBE_KEY: Key = {"pk": "ENGINE", "sk": "PROBE"}


def wake_shard(target_id: str) -> str:
    """Partition of the wake index for a target; ids end in random bits."""
    return f"WAKE#{int(target_id[-4:], 16) % SHARDS:02d}"


def poll_shard(post_id: str) -> str:
    """Partition of the look index for a post's metrics."""
    return f"LOOK#{int(post_id[-4:], 16) % SHARDS:02d}"


_SAME_LIST = {PostStatus.SCHEDULED: "active", PostStatus.PUBLISHING: "active"}


LIST_SHARDS = 4
"""A partition takes 1,000 writes a second; each post that is published changes its list."""


def list_status(workspace_id: str, status: PostStatus, post_id: str) -> str:
    """Partition of the status index for a post; scheduled and publishing share theirs."""
    shard = int(post_id[-4:], 16) % LIST_SHARDS
    return _list(workspace_id, _SAME_LIST.get(status, status), shard)


def list_publishing(workspace_id: str, target_id: str) -> str:
    """Partition of the status index for a target that is being posted.

    A claim writes only its target, so the posts being posted are found by these.
    """
    return _list(workspace_id, PostStatus.PUBLISHING, int(target_id[-4:], 16) % LIST_SHARDS)


def list_erasing(post_id: str) -> str:
    """Partition of the status index of all deleted posts that may still have texts."""
    return ERASING_LISTS[int(post_id[-4:], 16) % LIST_SHARDS]


def list_deleted(workspace_id: str, post_id: str) -> str:
    """Partition of the status index of a workspace's deleted posts without texts."""
    return lists_deleted(workspace_id)[int(post_id[-4:], 16) % LIST_SHARDS]


def lists_deleted(workspace_id: str) -> tuple[str, ...]:
    """Partitions of the status index that have a workspace's deleted posts."""
    return tuple(_list(workspace_id, "deleted", shard) for shard in range(LIST_SHARDS))


def list_labelled(workspace_id: str, label_id: str) -> str:
    """Partition of the status index that has the posts with a label."""
    return _list(workspace_id, f"label-{label_id}", 0)


def list_waiting(workspace_id: str) -> str:
    """Partition of the time index of a workspace's posts that wait for review, by their ids."""
    return f"{workspace_id}#waiting"


def _list(workspace_id: str, name: str, shard: int) -> str:
    return f"{workspace_id}#{name}#{shard}"


def list_statuses(workspace_id: str, statuses: Collection[PostStatus]) -> list[str]:
    """Return the partitions in which every post with one of the statuses can be found."""
    posted_alone = PostStatus.PUBLISHING in statuses and PostStatus.SCHEDULED not in statuses
    names = {str(_SAME_LIST.get(status, status)) for status in statuses}
    if posted_alone:
        names = names - {_SAME_LIST[PostStatus.PUBLISHING]} | {str(PostStatus.PUBLISHING)}
    return sorted(_list(workspace_id, name, n) for name in names for n in range(LIST_SHARDS))


ERASING_LISTS = tuple(f"ERASING#{shard}" for shard in range(LIST_SHARDS))

POLL_SHARDS = tuple(f"LOOK#{shard:02d}" for shard in range(SHARDS))

WAKE_SHARDS = tuple(f"WAKE#{shard:02d}" for shard in range(SHARDS))
