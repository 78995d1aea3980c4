"""Passkeys: signing in with one, and a member's own passkeys in settings.

A script fetches the challenge, passes it to the browser, and sends the browser's answer as a plain
form, which is checked and answered like any other.
"""

from http import HTTPStatus

from chalicelib.domain.workspace.passkeys import (
    CHALLENGE_LIFETIME,
    Answer,
    PasskeyElsewhere,
    PasskeyRefused,
    Question,
    RelyingParty,
)
from chalicelib.http.messages import JSON_TYPE
from chalicelib.kit.asgi.messages import Response
from chalicelib.web.pages.sign_in import begin_session, show_sign_in
from chalicelib.web.routing import Visit, page

_COOKIE = "goldenhour_passkey"
_PAGE = "/app/settings"
_SECONDS = int(CHALLENGE_LIFETIME.total_seconds())


@page("POST", "/app/passkeys/question", open_to_all=True)
def ask_to_sign_in(visit: Visit) -> Response:
    """Answer with a challenge for any passkey of this service."""
    return _question_response(
        visit, visit.services.people.ceremonies.ask_to_sign_in(party_of(visit))
    )


@page("POST", "/app/passkeys/sign-in", open_to_all=True)
def sign_in_by_passkey(visit: Visit) -> Response:
    """Begin a session of the person whose passkey answered the challenge."""
    try:
        cookie = visit.services.people.ceremonies.sign_in(
            party_of(visit),
            answer_of(visit),
            before=visit.session_cookie,
            device=visit.device,
            client=visit.request.client,
        )
    except PasskeyRefused as error:
        return show_sign_in(visit, status=HTTPStatus.FORBIDDEN, problem=error.message)
    return begin_session(visit, cookie)


@page("POST", f"{_PAGE}/passkeys/question", scope=None, fresh=True, before_passkey=True)
def ask_to_add(visit: Visit) -> Response:
    """Answer with a challenge for a new passkey of the member."""
    return _question_response(
        visit, visit.services.people.ceremonies.ask_to_add(visit.who, party_of(visit))
    )


@page("POST", f"{_PAGE}/passkeys", scope=None, fresh=True, before_passkey=True)
def add(visit: Visit) -> Response:
    """Save a new passkey under the name that the member typed."""
    name = visit.form["name"].strip()
    added = visit.services.people.ceremonies.add(visit.who, party_of(visit), name, answer_of(visit))
    said = f"The passkey “{added.name}” was added. You can sign in with it from now on."
    return visit.lead_to(f"{_PAGE}?page=you", f"{said}{_others(visit)}")


@page("POST", f"{_PAGE}/passkeys/{{passkey_hash}}/remove", scope=None, fresh=True)
def remove(visit: Visit) -> Response:
    """Remove one of the member's own passkeys."""
    visit.services.people.ceremonies.remove(visit.who, visit.path["passkey_hash"])
    said = "The passkey was removed. Nobody can sign in with it any more."
    return visit.lead_to(f"{_PAGE}?page=you", f"{said}{_others(visit)}")


def _others(visit: Visit) -> str:
    """Return a sentence about the member's other browsers, which stay signed in; empty for none."""
    others = len(visit.services.people.sessions.of(visit.who)) - 1
    return (
        " Your other browsers stay signed in: below, you can sign them all out." if others else ""
    )


def party_of(visit: Visit) -> RelyingParty:
    """Return the relying party of passkeys here. Raises PasskeyElsewhere where none can work."""
    if visit.relying_party is None:
        raise PasskeyElsewhere
    return visit.relying_party


def answer_of(visit: Visit) -> Answer:
    """Return a browser's answer to a challenge, with the challenge's secret from its cookie."""
    return Answer(text=visit.form["answer"], secret=visit.cookie(_COOKIE))


def _question_response(visit: Visit, question: Question) -> Response:
    cookie = visit.cookie_header(_COOKIE, question.secret, path="/app", seconds=_SECONDS)
    headers = {"Content-Type": JSON_TYPE, **cookie}
    return Response(status=HTTPStatus.OK, headers=headers, body=question.options.encode())
