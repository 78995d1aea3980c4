"""An answer that a caption asks for, read by the connector of the platform that is played."""

from collections.abc import Mapping

from chalicelib.connectors.connector import Data, Publication
from chalicelib.connectors.sandbox.refusals import SandboxRefusal
from chalicelib.connectors.shared.staging import Played, Staged, play
from chalicelib.domain.outcome import Checkpoint, Failed, Outcome, Unanswered, Wait
from chalicelib.domain.platforms.sandbox_answers import UnfitAnswerError, asked_answer
from chalicelib.kit.json_value import Json

_KNOWN = "played"


def unfit_answer(publication: Publication) -> Failed | None:
    """Return why the answer that is asked for cannot be played, None if it can or none is."""
    try:
        asked_answer(publication.text)
    except UnfitAnswerError as error:
        return SandboxRefusal.UNFIT_ANSWER.end(why=error)
    return None


def play_answer(rules: Staged | None, publication: Publication, data: Data) -> Outcome | None:
    """Return what the platform's connector makes of the answer, None when none is asked for.

    What the platform's checkpoint would know stands in ours. Raises what the connector raises.
    """
    asked = asked_answer(publication.text)
    if asked is None:
        return None
    if rules is None:
        return SandboxRefusal.NOT_PLAYED.end()
    answer = Played(status=asked.status, body=asked.body, retry_after=asked.retry_after)
    known = data.get(_KNOWN)
    outcome = play(rules, publication, answer, known if isinstance(known, dict) else {})
    match outcome:
        case Wait():
            return Wait(_keeping(data, outcome.checkpoint.data), outcome.delay)
        case Unanswered():
            return Unanswered(_keeping(data, outcome.checkpoint.data))
    return outcome


def _keeping(data: Data, known: Mapping[str, Json]) -> Checkpoint:
    return Checkpoint("publish", {**data, _KNOWN: dict(known)})
