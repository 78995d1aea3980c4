"""What is proven of each connector, and against what: `docs/connectors.md` is made of it.

    python -m tests.connectors.proofs > docs/connectors.md

Each connector's author keeps a row here; `test_proofs.py` holds the rows against what there is.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from chalicelib.domain.platforms import NAMES, Platform


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """One claim, what it was held against, and the test that holds it."""

    claim: str
    against: str
    test: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Proven:
    """All that is proven of one connector, what is not, and where its fact sheet was wrong."""

    platform: Platform
    proofs: tuple[Proof, ...]
    unproven: tuple[str, ...] = ()
    corrections: tuple[str, ...] = ()


HARNESS = (
    "one post whatever breaks: a crash after every step, a cut connection, a 5xx, a garbled answer"
    " and a 429 at every call; a token refused at every call is renewed; nothing is visible before"
    " the visible step; every row of ERRORS maps; no secret in a log or repr; big files at constant"
    " memory"
)

PROVEN = (
    Proven(
        platform=Platform.BLUESKY,
        proofs=(
            Proof(
                claim=HARNESS,
                against="a fake built from the fact sheet and measured against the real server",
                test="test_bluesky.py",
            ),
            Proof(
                claim="the whole product, from `account connect` with an app password: photo,"
                " video, text with facets, gates, schedule, lost answers without a second post,"
                " unpublish, renewal, a revoked session, `account reconnect`",
                against="Bluesky's own server, @atproto/pds 0.4.217 (video service and public view"
                " are played)",
                test="test_bluesky_server.py",
            ),
            Proof(
                claim="sign-in by browser (PAR, PKCE, DPoP), publishing, removal and rotation with"
                " it, a replayed refresh token, a forged answer",
                against="the same server's own sign-in page and token endpoint",
                test="test_bluesky_oauth.py",
            ),
            Proof(
                claim="links, mentions, tags and cashtags of 3,000 texts",
                against="detectFacets of Bluesky's own client, @atproto/api 0.19.19",
                test="test_bluesky_text.py",
            ),
            Proof(
                claim="posts, threadgates and postgates as they are written",
                against="the official lexicons in @atproto/api 0.19.19",
                test="test_bluesky_text.py",
            ),
        ),
        unproven=(
            "sign-in by browser as a confidential client: this one is public (two weeks, renewed)",
            "the live video service and public view: no server of them can be had",
            "videos over 100 MB: the lexicons at hand are older than that limit",
        ),
        corrections=(
            "a post and its gates in one `applyWrites` may be repeated: it is refused as a whole",
            "the official client also points out cashtags (`$AAPL`), as tags",
        ),
    ),
    Proven(
        platform=Platform.X,
        proofs=(
            Proof(
                claim=HARNESS,
                against="a fake built from the fact sheet, which X's own client was run against",
                test="test_x.py",
            ),
            Proof(
                claim="the fake takes all that X's client does (sign-in, text, photo, video in"
                " segments, alt text, counts, removal); what the connector sends and what the"
                " fake's timeline answers has no field that X's models do not know",
                against="X's own client and its models, xdk 0.10.6, made from X's OpenAPI",
                test="test_x_official.py",
            ),
            Proof(
                claim="a lost post is found by its file's key or by its text with shortened links;"
                " one beyond the read lag is not sent twice; after a restore it is found by text",
                against="the same fake, with a timeline that lags and has pages",
                test="test_x_looking.py",
            ),
        ),
        unproven=(
            "the live platform: credits, its timeline's real lag, how long it refuses duplicates",
            "posts to a community alone: whether the timeline shows them, so a lost one is unknown",
            "followers won by a post: they take one more paid call and are not asked for",
            "the reset of the 24-hour limits: retries follow the 15-minute one",
        ),
        corrections=(
            "`entities.urls` must have `start` and `end` (its models refuse the sheet's example)",
            "`text` goes along even when empty: the backend refuses a post without it",
            "`errors[].parameters` names the blamed field, at times as `$.media.media_ids`",
            "OpenAPI's `post.fields` is what X's client sends; its pages keep `tweet.fields`",
            "`share_with_followers` belongs to `community_id`, whatever the models' comment says",
        ),
    ),
    Proven(
        platform=Platform.LINKEDIN,
        proofs=(
            Proof(
                claim=HARNESS + "; as a page and as a member",
                against="a fake built from the fact sheet, which LinkedIn's own Rest.li client"
                " (linkedin-api-client 0.3.0, proprietary, not kept here) was run through once",
                test="test_linkedin.py",
            ),
            Proof(
                claim="a page's lost post is found by its asset or text; a member's is named by"
                " LinkedIn's refusal of the second; two lost answers end as outcome_unknown",
                against="the same fake, which lets nobody read a member's posts",
                test="test_linkedin_looking.py",
            ),
            Proof(
                claim="lists in queries are spelled as LinkedIn's own client does; members' and"
                " pages' counts, removal, sign-in for either",
                against="what that client printed, and the same fake",
                test="test_linkedin_accounts.py",
            ),
            Proof(
                claim="any text comes back whole, every reserved sign of little text",
                against="generated texts and a fake that cuts at the first bare reserved sign",
                test="test_linkedin.py",
            ),
        ),
        unproven=(
            "the live platform: for how long it refuses duplicates (20 hours are relied on)",
            "whether the refusal names the right post after a removal",
            "status 999 of restricted members: above 500 it is a missing answer here",
            "followers won by a post and page followers: not asked for",
            "WebP photos and MOV videos, which LinkedIn does not take: refused, not converted",
        ),
        corrections=(
            "the duplicate's message begins with a Java exception: the id has no fixed place",
            "after a removal the refusal may name posts that do not exist (one report)",
        ),
    ),
    Proven(
        platform=Platform.THREADS,
        proofs=(
            Proof(
                claim=HARNESS,
                against="a fake built from the fact sheet",
                test="test_threads.py",
            ),
            Proof(
                claim="requests and answers of a video, options as fields, refusals told apart by"
                " their wording",
                against="the fact sheet's worked exchange and list of errors",
                test="test_threads.py",
            ),
            Proof(
                claim="containers that fail, expire, are not ready, cannot be read or tell no"
                " status; a full day; an address of the file that holds for a day; figures are"
                " left alone near the end of a quota",
                against="the same fake and Instagram's, with scripted answers",
                test="test_containers.py",
            ),
            Proof(
                claim="a lost post is found by container, text, kind and time; a container that"
                " cannot be read proves nothing; a spam block that took the post all the same",
                against="the same two fakes",
                test="test_containers_looking.py",
            ),
            Proof(
                claim="both trades of tokens and their renewal; a metric that fails costs only"
                " itself; removal, and a removal that was none",
                against="the same fake",
                test="test_threads_accounts.py",
            ),
        ),
        unproven=(
            "everything against Threads itself: Meta has no server or SDK of it to run here",
            "whether every path takes the token as a header: Meta's examples show a parameter",
            "whether Threads asks by HEAD first: a signed address of S3 answers GET only",
        ),
        corrections=(
            "the address of a file holds for a day, as the container does, not for an hour only",
        ),
    ),
    Proven(
        platform=Platform.INSTAGRAM,
        proofs=(
            Proof(
                claim=HARNESS,
                against="a fake built from the fact sheet, once per host: accounts that signed in"
                " by Instagram and by Facebook",
                test="test_instagram.py",
            ),
            Proof(
                claim="requests and answers of a reel, options as fields, stories, reels that are"
                " sent and not fetched",
                against="the fact sheet's worked exchange and list of errors",
                test="test_instagram.py",
            ),
            Proof(
                claim="every field and metric is one that Meta names (`is_ai_generated` is newer)",
                against="the lists of Meta's own client, facebook-business 25.0.2",
                test="test_meta_parameters.py",
            ),
            Proof(
                claim="containers that fail, expire, are not ready or cannot be read; a full day;"
                " figures are left alone near the end of a quota",
                against="the same fake and Threads', with scripted answers",
                test="test_containers.py",
            ),
            Proof(
                claim="a lost post is found by container, caption, kind and time; a container that"
                " cannot be read proves nothing; a spam block that took the post all the same",
                against="the same two fakes",
                test="test_containers_looking.py",
            ),
            Proof(
                claim="every trade of tokens in both ways to sign in, a Page that was lost; metrics"
                " by kind of post, one that fails costs only itself, stories for a day",
                against="the same fake, which refuses a metric that its kind of post has not",
                test="test_instagram_accounts.py",
            ),
        ),
        unproven=(
            "everything against Instagram itself: Meta has no server of it to run here",
            "publishing one container twice: it is never done, so what it would do stays unknown",
            "Pages that only a business shows may need `ads_read` to publish: it is not asked for",
        ),
        corrections=(
            "`/me` may come in a list, as code exchanges do: both shapes are read",
            "limits are called transient too: what passes counts after the code, but for 100",
        ),
    ),
    Proven(
        platform=Platform.FACEBOOK,
        proofs=(
            Proof(
                claim=HARNESS,
                against="a fake built from the fact sheet; a lost answer of /feed may end as"
                " outcome_unknown, one of a video never does",
                test="test_facebook.py",
            ),
            Proof(
                claim="requests and answers of a photo, a text and a story, options as fields,"
                " refusals",
                against="the fact sheet's worked exchange and list of errors",
                test="test_facebook.py",
            ),
            Proof(
                claim="chunks that Facebook dictates; uploads that go on where they were cut off,"
                " begin anew or give up",
                against="the same fake, with scripted answers",
                test="test_facebook_uploads.py",
            ),
            Proof(
                claim="requests and answers of reels, films and stories, which kind a video is,"
                " processing that fails, links",
                against="the fact sheet's worked exchange and the same fake",
                test="test_facebook_videos.py",
            ),
            Proof(
                claim="every field of a reel is one that Meta names",
                against="the list of Meta's own client, facebook-business 25.0.2",
                test="test_meta_parameters.py",
            ),
            Proof(
                claim="a lost text, photo, story or video is found; a refused second time leads"
                " back to the first; a video on its way is not finished again",
                against="the same fake, whose lists may lag",
                test="test_facebook_looking.py",
            ),
            Proof(
                claim="Pages of the person's own and of businesses, their tokens and their loss;"
                " figures one by one, of which any may fail; removal of every kind of post",
                against="the same fake",
                test="test_facebook_accounts.py",
            ),
        ),
        unproven=(
            "everything against Facebook itself: Meta has no server of it to run here",
            "how far a Page's lists lag: a text that they do not show is not sent again",
            "whether Facebook processes a video in chunks before it is finished",
            "removal of stories: the fact sheet names posts and videos only",
            "`publish_video`, which one of Meta's guides names beside the others: not asked for",
        ),
        corrections=(
            "`permalink_url` of a reel is made absolute like that of a video",
            "processing may take 10 minutes, but long uploads share the 30 minutes of a step",
        ),
    ),
    Proven(
        platform=Platform.REDDIT,
        proofs=(
            Proof(
                claim=HARNESS,
                against="a fake built from the fact sheet, which PRAW was run against",
                test="test_reddit.py",
            ),
            Proof(
                claim="the fake takes all that PRAW does (sign-in, text, link, image, video with"
                " its still, listings with pages, counts), and PRAW reads its refusals; the"
                " connector's leases and submissions have the very fields and values of PRAW's;"
                " every path is one of PRAW's",
                against="the usual client of Reddit, praw 8.0.3 with prawcore 4.0.0",
                test="test_reddit_official.py",
            ),
            Proof(
                claim="a post with a file, whose id Reddit does not tell, is found by its asset;"
                " one that never shows fails, and its retry looks first",
                against="the same fake, which shows files late",
                test="test_reddit_finding.py",
            ),
            Proof(
                claim="a lost post is found by asset, or by community and title; it is absent only"
                " after its time; a duplicate after a doubt is never sent again; a refused or"
                " garbled listing proves nothing; after a restore it is found by title",
                against="the same fake, with a listing that has pages",
                test="test_reddit_looking.py",
            ),
            Proof(
                claim="a lost post is found though the person keeps it off the profile or a"
                " moderator off the community",
                against="the same fake, whose two listings leave out what Reddit's do",
                test="test_reddit_places.py",
            ),
            Proof(
                claim="leases stay out of checkpoints and logs, files go to hosts of the buckets'"
                " domain alone and without the token, every no of S3",
                against="a bucket that wants a lease's fields in order and the file last",
                test="test_reddit_uploads.py",
            ),
            Proof(
                claim="options as fields, and what is refused unsent",
                against="the same fake, whose form is a closed set of fields",
                test="test_reddit_options.py",
            ),
            Proof(
                claim="sign-in with its permissions checked, renewal, a withdrawn sign-in, counts,"
                " what is gone",
                against="the same fake",
                test="test_reddit_accounts.py",
            ),
        ),
        unproven=(
            "the live platform: Reddit's approval, its limits for young accounts",
            "how far its listing lags, how long videos are in the making: 10 and 30 minutes here",
            "posts kept off the profile and removed from the community at once: in no listing",
            "for how long an uploaded file can be submitted",
            "videos over 15 minutes: Reddit's help pages say no, its API's say nothing",
            "posts that a moderator's robot hides within seconds: they are live here until counted",
            "removal of live posts: not offered",
        ),
        corrections=(
            "people can keep posts off their profile since 2025: its listing is not enough",
            "listings leave out what the person hid, unless asked to `show=all`",
            "a lease holds for 15 minutes (recorded policies), not for hours",
            "an unknown flair is answered with a bare 400 by now, no longer with 500",
            "image and video answers may name the post after all (older notes): it is taken then",
            "a wrong refresh token may also be called invalid_request (Reddit's old source)",
            "the first line of a caption is not said twice: what is the title is not in the text",
        ),
    ),
    Proven(
        platform=Platform.TIKTOK,
        proofs=(
            Proof(
                claim=HARNESS + "; a lost answer for a photo may end as outcome_unknown, one for a"
                " video never does",
                against="a fake built from the fact sheet, once each for a video in one piece, in"
                " chunks, and a photo",
                test="test_tiktok.py",
            ),
            Proof(
                claim="requests and answers of a video in seven chunks and of a photo",
                against="the fact sheet's worked exchange",
                test="test_tiktok.py",
            ),
            Proof(
                claim="every option as a field, settings that changed since the draft, refusals,"
                " full days",
                against="the same fake, which knows what its creator allows",
                test="test_tiktok_settings.py",
            ),
            Proof(
                claim="every plan of chunks is one that TikTok takes, from 1 byte to 4 GB",
                against="the rules of TikTok's guide, as properties",
                test="test_tiktok_chunks.py",
            ),
            Proof(
                claim="uploads go on where they were cut off, and are begun anew only where nothing"
                " can come of the first",
                against="the same fake",
                test="test_tiktok_uploads.py",
            ),
            Proof(
                claim="every state and fail_reason, states that nobody knows, a status that cannot"
                " be read for an hour, posts that never get an id",
                against="the same fake",
                test="test_tiktok_processing.py",
            ),
            Proof(
                claim="lost answers: found, waited for, absent, untellable; after a restore",
                against="the same fake, with a list that lags and leaves photos out",
                test="test_tiktok_looking.py",
            ),
            Proof(
                claim="sign-in of web and desktop applications, withheld scopes, rotation; counts,"
                " and ids that come late",
                against="the same fake",
                test="test_tiktok_accounts.py",
            ),
            Proof(
                claim="`GET /v1/accounts/{id}/tiktok` of a real account, and films cut to what the"
                " creator may post",
                against="the whole service over the same fake",
                test="../api/test_tiktok_creators.py",
            ),
        ),
        unproven=(
            "everything against TikTok itself: it has no server and no client to run here",
            "whether the list of videos shows photos, and how far it lags behind moderation",
            "links of posts that get their id late stay the profile's, though counts are found",
            "followers won by a post: TikTok tells an account's total alone, it is not asked for",
        ),
        corrections=(
            "an application with a loopback redirect needs PKCE, its challenge in hexadecimal",
            "the upload's Content-Range may mean a count or the last byte's place: both are read",
            "after a lost last chunk a new upload is safe once the first can't be completed",
            "a full day is tried again after 6 hours, not the next day: the count rolls",
            "`internal_error` with a status below 500 proves no more than one above",
        ),
    ),
    Proven(
        platform=Platform.YOUTUBE,
        proofs=(
            Proof(
                claim=HARNESS,
                against="a fake built from the fact sheet, which Google's own client was run"
                " against",
                test="test_youtube.py",
            ),
            Proof(
                claim="the fake takes all that Google's client does (uploads in chunks and ones"
                " that were cut off, lists, playlists, channels, removal, Analytics); each call,"
                " body and permission of the connector is one that Google describes, and so is"
                " each answer of the fake",
                against="google-api-python-client 2.202.0 and the discovery documents in it"
                " (youtube.v3 of 2026-11-04, youtubeAnalytics.v2)",
                test="test_youtube_official.py",
            ),
            Proof(
                claim="uploads that are cut off go on at the byte that YouTube names: lost chunks,"
                " overlaps, pauses, sessions that move, end or stand still; no session is opened"
                " while another may have the last byte",
                against="the fact sheet's rules of resumable uploads",
                test="test_youtube_uploads.py",
            ),
            Proof(
                claim="lost last bytes are asked of their session; without it the video is found by"
                " title and time, or not sent again",
                against="the same fake, whose sessions end and whose uploads lag",
                test="test_youtube_looking.py",
            ),
            Proof(
                claim="sign-in, permissions left unticked, no channel, renewal, counts of fifty"
                " videos in two calls, a day's quota, removal",
                against="the same fake",
                test="test_youtube_accounts.py",
            ),
            Proof(
                claim="titles, descriptions, tags, Shorts by shape, what is refused ahead",
                against="the fact sheet's limits, which Google's description does not have",
                test="test_youtube_post.py",
            ),
        ),
        unproven=(
            "the live platform: its lag, what it answers to bytes out of place, a session's life",
            "how YouTube counts a title's signs: code points are counted here",
            "a `cover`: it is not sent, since a post has one file and no address is fetched",
            "a playlist after a lost answer: the video is published and not put into it",
            "videos kept private though they were to be public: published, and a line in the log",
        ),
        corrections=(
            "`processingStatus` `terminated` says that no more is told; it is no failure",
            "`rejectionReason` `length` is video_too_long here, not media_rejected",
            "Google's client names no Content-Type for chunks; the fake must take them without",
            "`videos.list` by id takes no `maxResults`",
            "Analytics tells fifty videos at once (`dimensions=video`), not one by one",
            "Google now says that projects without an audit are not confined to private videos",
        ),
    ),
    Proven(
        platform=Platform.GOOGLE_BUSINESS_PROFILE,
        proofs=(
            Proof(
                claim=HARNESS,
                against="a fake built from the fact sheet and Google's reference page of v4.9; no"
                " package describes posts, so that they are held against a strict schema of our"
                " own (`test_local_post_schema.py`)",
                test="test_google_business_profile.py",
            ),
            Proof(
                claim="the fake takes what Google's client asks of accounts and locations, page by"
                " page; each such call of the connector is one that Google describes, and so is"
                " each answer of the fake",
                against="google-api-python-client 2.202.0 and the discovery documents in it"
                " (mybusinessaccountmanagement.v1, mybusinessbusinessinformation.v1 of 2026-10-26)",
                test="test_google_business_profile_official.py",
            ),
            Proof(
                claim="a lost post is found and its review watched, or sent once more after three"
                " minutes and no third time; one that Google refused meanwhile is not sent again",
                against="the same fake, with a list that lags, has pages and any order",
                test="test_google_business_profile_looking.py",
            ),
            Proof(
                claim="only a post with our text, topic and time is taken for ours",
                against="the same fake",
                test="test_google_business_profile_matching.py",
            ),
            Proof(
                claim="fields, numbers and reasons of refusals, pages of HTML, a project without"
                " approval, photos that the fake really fetches from loopback",
                against="recorded answers of Google's and the fact sheet's list of errors",
                test="test_google_business_profile_refusals.py",
            ),
            Proof(
                claim="options that do not go together, times of events, photos too small, large"
                " or light: refused before a call, in a sentence that says what to do",
                against="the fact sheet's rules and Google's reference page",
                test="test_google_business_profile_ahead.py",
            ),
            Proof(
                claim="sign-in, locations of all accounts, renewal, views, figures that are gone"
                " for good or switched off, posts that were deleted or refused",
                against="the same fake",
                test="test_google_business_profile_accounts.py",
            ),
        ),
        unproven=(
            "the live platform: how far the list of posts lags, its order, how long reviews take",
            "whether Google still tells how often posts were seen: if not, nothing is reported",
            "which fields Google names in refusals beyond the few that were recorded",
            "whether the second of two equal posts is refused: if it is, that counts as proof",
            "a photo's address of one hour: Google fetched at the call wherever it was recorded",
        ),
        corrections=(
            "a photo that could not be fetched is refused with the number 1000 and without a field",
            "numbers 1301 to 1399 are about the location or account, 1000 to 1099 about the photo",
            "an event's schedule must have both dates and both times, or it is not valid",
            "states SCHEDULED and RECURRING exist; RECURRING is shown",
            "`hasVoiceOfMerchant` may be left out: only a plain false marks a location at sign-in",
        ),
    ),
    Proven(
        platform=Platform.PINTEREST,
        proofs=(
            Proof(
                claim=HARNESS,
                against="a fake built from the fact sheet, which a client made from Pinterest's own"
                " OpenAPI was run against; a lost answer may end as outcome_unknown",
                test="test_pinterest.py",
            ),
            Proof(
                claim="the fake takes all that this client does (account, boards, photo with nulls,"
                " video, lists, figures, removal, tokens); the connector's bodies have no field"
                " that its models do not know, nor has what the fake answers",
                against="pinterestsdk 2.1.0, made from Pinterest's OpenAPI 5.28.0",
                test="test_pinterest_official.py",
            ),
            Proof(
                claim="a pin that was taken is found whatever was lost; one that was not taken is"
                " never sent again by itself; only a whole board without any pin of that time,"
                " half an hour later, says that there is none; after a restore, too",
                against="the same fake, with boards that lag and have pages",
                test="test_pinterest_once.py",
            ),
            Proof(
                claim="what is taken for ours: text, title, link, kind, owner and time",
                against="the same fake",
                test="test_pinterest_looking.py",
            ),
            Proof(
                claim="options and files that Pinterest cannot take are refused unsent, with a"
                " sentence; answers are told by status and number; spam from rate",
                against="the fact sheet's list of errors, corrected by OpenAPI 5.23.0's examples",
                test="test_pinterest_refusals.py",
            ),
            Proof(
                claim="sign-in, rotation of both tokens, idle accounts, dead sign-ins; removal;"
                " figures with any of them missing",
                against="the same fake",
                test="test_pinterest_accounts.py",
            ),
            Proof(
                claim="a file inside JSON is the same bytes as if put together in memory",
                against="base64 and json of Python, all lengths around the pieces' bounds",
                test="test_bodies.py",
            ),
        ),
        unproven=(
            "the live platform: how far boards lag and in which order they list their pins",
            "what Pinterest makes of texts: a lost pin that shows another one ends as unknown",
            "how small a photo may be (100 pixels a side are asked for), and how large",
            "which of its messages name a field: two forms that OpenAPI shows are read",
            "for how long a processed video can still be pinned",
            "quotas of the figures' calls, and applications on trial with 1,000 calls a day",
        ),
        corrections=(
            "a missing scope is 401 with code 3, not 403: a new token does not help",
            "code 30 is a rate limit at 429 only, else an unknown user: codes go with statuses",
            "code 1104 is about the token of a report, not of the account",
            "a dead refresh token is code 283, with `code` and `message` and without `error`",
            "`continuous_refresh` belongs to the token form as such, refreshes included",
            "lifetime figures are whole numbers, those of the asked days need not be",
            "a section's pins have a list of their own, which is read for a lost pin there",
        ),
    ),
)


def page() -> str:
    """Return the page."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# What is proven of the connectors"
    yield ""
    yield "Made by `python -m tests.connectors.proofs`; the tests are in `tests/connectors/`."
    for proven in PROVEN:
        yield ""
        yield f"## {NAMES[proven.platform]}"
        yield ""
        yield "| proven | against | test |"
        yield "|---|---|---|"
        for proof in proven.proofs:
            yield f"| {proof.claim} | {proof.against} | `{proof.test}` |"
        yield from _list("Not proven", proven.unproven)
        yield from _list("Where the fact sheet was wrong or silent", proven.corrections)


def _list(heading: str, entries: tuple[str, ...]) -> Iterator[str]:
    if entries:
        yield ""
        yield f"{heading}:"
        yield ""
        for entry in entries:
            yield f"- {entry}"


if __name__ == "__main__":
    print(page(), end="")  # noqa: T201
