"""Posts that await review: in the app for members, at `/review/<token>` for whoever has the link.

A decision names the revision that was shown. If the post changed since then, nothing is decided:
the page shows the post again, with what changed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from http import HTTPStatus
from urllib.parse import quote, unquote
from zoneinfo import ZoneInfo

from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.posts.post import Approval, Post
from chalicelib.domain.posts.reviewing import asked_times
from chalicelib.domain.posts.target import Target
from chalicelib.domain.workspace.access import Scope
from chalicelib.kit.asgi.messages import Response
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.app.client_pages import DAYS
from chalicelib.services.app.reviews import Verdict
from chalicelib.services.in_parallel import in_parallel
from chalicelib.web.forms.chosen_accounts import groups_of
from chalicelib.web.forms.differences import Words, words_between
from chalicelib.web.forms.pictures import picture_in_page
from chalicelib.web.forms.previews import Preview, previews_of
from chalicelib.web.forms.times import near
from chalicelib.web.messages import redirect
from chalicelib.web.rendering import option_words
from chalicelib.web.routing import Visit, page

_FACTS_FIELD = "told."
_READER = "goldenhour_reader"
_REMEMBERED_S = 180 * 86_400


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One target of a post as a reviewer sees it.

    `was` is its text with the changes since the form was opened marked, empty if there are none.
    `facts` are its time, file and options, a line each, changes marked as well. `told` is its
    account's name and facts as text, which the form sends back for the next comparison.
    """

    preview: Preview
    target: Target
    text: str
    was: Sequence[Words]
    facts: Sequence[Words]
    told: str
    is_new: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewed:
    """A post in review; `gone` are accounts removed since, `when` the times to schedule it for."""

    post: Post
    gone: Sequence[str]
    shown: Sequence[Shown]
    when: str


def read_review(visit: Visit, post: Post, zone: ZoneInfo) -> Reviewed:
    """Return a post as its review shows it in a zone, with changes since the form was opened."""
    asked = asked_times(post, now=visit.now)
    times = sorted({target.scheduled_at for target in asked if target.scheduled_at is not None})
    first = near(times[0], zone, visit.now) if times else ""
    shown = [_show_target(visit, post, preview, zone) for preview in previews_of(post)]
    told = _shown_facts_in_form(visit, post)
    gone = sorted(told.keys() - {one.target.id for one in shown})
    return Reviewed(
        post=post,
        gone=[told[one][0] for one in gone],
        shown=shown,
        when=f"{len(times)} times from {first}" if len(times) > 1 else first,
    )


def review_values(visit: Visit, post: Post) -> Reviewed | None:
    """Return what a post's own page shows of its review; None if the member may not decide."""
    if post.approval is not Approval.PENDING or not visit.may(Scope.PUBLISH):
        return None
    return read_review(visit, post, visit.zone)


def _show_target(visit: Visit, post: Post, preview: Preview, zone: ZoneInfo) -> Shown:
    target = preview.target
    text, name = target.caption(post.caption), f"was.{target.id}"
    was = list(words_between(visit.form[name], text)) if name in visit.form else []
    is_same = all(words.mark == "same" for words in was)
    facts, before = list(_facts(post, target, zone)), _shown_facts_in_form(visit, post)
    known = before.get(target.id, ["", *facts])[1:]
    return Shown(
        preview=preview,
        target=target,
        text=text,
        was=[] if is_same else was,
        facts=[
            *(Words(text=one, mark="gone") for one in known if one not in facts),
            *(Words(text=one, mark="same" if one in known else "new") for one in facts),
        ],
        told="\n".join([f"{FACTS[target.platform].name} {target.handle}", *facts]),
        is_new=bool(before) and target.id not in before,
    )


def _facts(post: Post, target: Target, zone: ZoneInfo) -> Iterator[str]:
    """Yield a target's time, file and options, a line each."""
    at = target.scheduled_at
    yield "No time yet" if at is None else f"{at.astimezone(zone):%a %-d %b %Y, %H:%M} ({zone})"
    if post.attachment is not None:
        yield f"File: {post.attachment.filename}"
    for label, value in option_words(target):
        yield " ".join(f"{label}: {value}".split())


def _shown_facts_in_form(visit: Visit, post: Post) -> dict[str, list[str]]:
    """Return the name and facts of each target that the sent form showed, by the target's id."""
    if visit.path.get("post_id", post.id) != post.id:
        return {}  # the form is about another post of this page
    names = [name for name in visit.form.names() if name.startswith(_FACTS_FIELD)]
    return {name.removeprefix(_FACTS_FIELD): visit.form[name].split("\n") for name in names}


@page("GET", "/app/review")
def show_review(visit: Visit) -> Response:
    """Show the posts that await review and the open links."""
    reviews = visit.services.people.reviews
    pending, links, groups = in_parallel(
        lambda: reviews.pending(visit.caller),
        lambda: reviews.open_links(visit.caller),
        lambda: groups_of(visit),
    )
    return visit.show(
        "review/list.html",
        pending=[read_review(visit, post, visit.zone) for post in pending],
        links=links,
        groups=groups,
        days=DAYS,
    )


@page("GET", "/review/{token}", open_to_all=True)
def show_shared(visit: Visit) -> Response:
    """Show a pending post to whoever has its review link."""
    found = visit.services.people.reviews.open_shared(visit.path["token"])
    faces, picture = in_parallel(
        lambda: _faces(visit, found.post), lambda: picture_of(visit, found.workspace.id)
    )
    return visit.show(
        "review/shared.html",
        shared=found,
        zone=found.zone,
        reader=reader_of(visit, found.link.reader),
        faces=faces,
        picture=picture,
        one=read_review(visit, found.post, found.zone),
        comments=visit.services.people.reviews.list_comments(found),
        file=f"/review/{visit.path['token']}/file",
        done="Your comment was added." if visit.query["done"] == "comment" else None,
    )


@page("GET", "/app/review/count", scope=Scope.PUBLISH)
def count_pending(visit: Visit) -> Response:
    """Answer how many posts await review, for the number in the navigation."""
    pending = visit.services.people.reviews.newest_pending(visit.caller)
    return visit.show("review/count_part.html", count=len(pending))


@page("POST", "/app/review/{post_id}", scope=Scope.PUBLISH, pays=True, again=show_review)
def decide(visit: Visit) -> Response:
    """Approve or reject what was shown."""
    verdict = verdict_of(visit)
    visit.services.people.reviews.decide(visit.caller, visit.path["post_id"], verdict)
    return visit.lead_to("/app/review", decision_sentence(verdict))


@page("POST", "/app/review/{post_id}/link", scope=Scope.PUBLISH, pays=True, again=show_review)
def share(visit: Visit) -> Response:
    """Make a link that lets anybody review one post."""
    return lead_to_link(visit, visit.path["post_id"])


def lead_to_link(visit: Visit, post_id: str, *, accepted: str = "") -> Response:
    """Make a post's review link and redirect to the page that shows it once."""
    token = visit.services.people.reviews.make_link(
        visit.caller, post_id, reader=visit.form["reader"].strip()
    )
    said = "Whoever has this link can approve or reject the post, once, within 14 days."
    return visit.lead_to(
        "/app/review", said, accepted=accepted, secret=f"{visit.base_url}/review/{token}"
    )


@page("POST", "/app/links/{link_hash}/revoke", scope=Scope.PUBLISH)
def revoke(visit: Visit) -> Response:
    """Revoke a link."""
    visit.services.people.reviews.revoke(visit.caller, visit.path["link_hash"])
    return visit.lead_to("/app/review", "The link was revoked.")


@page("GET", "/review/{token}/file", open_to_all=True)
def shared_file(visit: Visit) -> Response:
    """Redirect to the file of the post."""
    url = visit.services.people.reviews.shared_file(visit.path["token"])
    return redirect(url, status=HTTPStatus.FOUND)


@page("POST", "/review/{token}", open_to_all=True, again=show_shared)
def decide_by_link(visit: Visit) -> Response:
    """Accept the link's one decision; the link's token stands in for the form token."""
    verdict, name = verdict_of(visit), visit.form["name"].strip()
    visit.services.people.reviews.decide_by_link(
        visit.path["token"], name, verdict, client=visit.request.client
    )
    return remember_name(visit, visit.show("review/thanks.html", said=decision_sentence(verdict)))


@page("POST", "/review/{token}/comments", open_to_all=True, again=show_shared)
def comment_by_link(visit: Visit) -> Response:
    """Add a comment or a reply, without a decision."""
    visit.services.people.reviews.comment_by_link(
        visit.path["token"],
        visit.form["name"].strip(),
        comment_typed(visit),
        reply_to=visit.form["reply_to"],
    )
    return remember_name(visit, redirect(f"/review/{visit.path['token']}?done=comment#comments"))


def remember_name(visit: Visit, answer: Response) -> Response:
    """Return an answer whose cookie keeps the typed name for the next form, for 180 days."""
    name = quote(visit.form["name"].strip())
    cookie = visit.cookie_header(_READER, name, path="/review", seconds=_REMEMBERED_S)
    return replace(answer, headers={**answer.headers, **cookie})


def reader_of(visit: Visit, named: str = "") -> str:
    """Return the reviewer's name: the link's, else the one last typed in this browser, else ""."""
    return named or unquote(visit.cookie(_READER) or "")


def comment_typed(visit: Visit) -> str:
    """Return the typed comment, after the name of the account that it is about, if any."""
    said, about = visit.form["comment"], visit.form["about"]
    return f"{about}: {said}" if about and said.strip() else said


def verdict_of(visit: Visit) -> Verdict:
    """Return the decision of the pressed button, with its note and the revision that was shown."""
    form = visit.form
    approves = form["decision"] in {"approve", "approve and schedule"}
    return Verdict(
        approves=approves,
        seen=form["revision"],
        schedules=form["decision"] == "approve and schedule",
        note=form["note"],
    )


def decision_sentence(verdict: Verdict) -> str:
    """Return the sentence that says what was decided."""
    if not verdict.approves:
        return "Changes were requested."
    return "The post was approved and scheduled." if verdict.schedules else "The post was approved."


def _faces(visit: Visit, post: Post) -> dict[str, str]:
    """Return the accounts' pictures as data URLs: whoever has only a link cannot fetch them."""
    profiles = visit.services.stores.profiles.of_workspace(post.workspace_id)
    return {
        account_id: address
        for account_id, profile in profiles.items()
        if (address := picture_in_page(profile.picture))
    }


def picture_of(visit: Visit, workspace_id: str) -> str:
    """Return a workspace's own picture as a data URL, empty if it has none."""
    return picture_in_page(visit.services.people.pictures.find(workspace_id))
