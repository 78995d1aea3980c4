"""Every condition, fence, reminder, guard and bound of the engine, taken away alone."""

from typing import Final

from tests.mutations.mutation import SIMULATION, Unseen, mutations_of
from tests.mutations.operators import (
    always,
    catches,
    drops,
    never,
    passes,
    returns,
    rewords,
    sets,
    skips,
    swaps,
    takes_else,
    takes_first,
)

_VERDICTS, _ADMISSION, _ABSENCE = (
    "tests/domain/engine/test_verdicts.py",
    "tests/domain/engine/test_admission.py",
    "tests/domain/engine/test_absence.py",
)
_T = "tests/workers/publishing"
_FENCE, _FIRE = f"{_T}/test_fence.py", f"{_T}/test_armed_fire.py"
_WRITES = "tests/kit/transport/test_fence.py"
_PLACES = "tests/kit/limits/test_thread_places.py"
_BOUNDS = "tests/kit/limits/test_bulkhead.py"
_BULK = f"{_T}/test_bulkheads.py"
_FAILURES, _DELETED = f"{_T}/failures", f"{_T}/test_deleted.py"
_RESTORE, _LATE = "tests/journeys/test_restore.py", f"{_T}/test_late_policy.py"
_BUSY = f"{_T}/failures/test_busy_tables.py"
_TAKEOVER = f"{_T}/failures/test_takeover.py"
_SOON = f"{_T}/test_asked_for_soon.py"
_STORIES = f"{_T}/test_publishing.py"
_CONVERTING = "tests/workers/media/test_converting.py"
_SAVES = "tests/storage/engine/test_saves.py"
_FIRES, _TICK = "tests/storage/engine/test_fires.py", "tests/workers/test_dispatcher.py"
_RISKS, _RECENT = "tests/api/checks/test_risks.py", f"{_T}/test_recent_reads.py"
_CLAIMS = f"{_T}/test_claims.py"
_LANE, _LANES = "tests/domain/posts/test_transitions.py", f"{_T}/test_lanes.py"
_ADOPTION, _OWN_KEY = f"{_T}/test_adoption.py", f"{_T}/test_own_key.py"
_VERBS, _CHANGES = "tests/domain/posts/test_verbs.py", "tests/services/posts/test_updates.py"

MUTATIONS: Final = (
    *mutations_of(
        "workers.publishing.firing",
        ("FireWorker._begun", never("switch"), _FIRE),
        ("FireWorker.fire", drops("paused"), _BULK),
        ("FireWorker._fire", swaps("self.clock() <= until", "True"), _BULK),
        ("FireWorker._set_alarm", drops("wall"), _FIRE),
        ("FireWorker._mind", never("now"), _BULK),
        ("FireWorker.fire", takes_else("one"), _BULK),
        ("FireWorker._arm", never("Unarmed"), SIMULATION),
        ("FireWorker.fire", takes_first("again"), _BULK),
        (
            "FireWorker._set_alarm",
            swaps("run.publication.due_at", "run.publication.due_at - timedelta(seconds=3)"),
            SIMULATION,
        ),
        ("FireWorker.run_all", returns("[(one.ref, None) for one in arrivals]"), SIMULATION),
        ("FireWorker._arm", passes("kind", "wake_kind(None)"), _CLAIMS),
    ),
    *mutations_of(
        "workers.publishing.run",
        ("Run.call", drops("has_sent"), _FENCE),
        ("Run._may_begin", drops("is_early_enough"), _FENCE),
        ("Run._may_begin", drops("claimed"), _FENCE),
        ("Run._may_begin", returns("True"), _FENCE),
        ("Run._make_visible", swaps("claimed.save", "claimed.become"), _FAILURES, _FENCE),
        ("Run.call", sets("answered_at", "None"), _FIRE),
        ("Run._reconcile", sets("is_deleted", "False"), _DELETED),
    ),
    *mutations_of(
        "workers.publishing.arming",
        (
            "_is_for_arming",
            drops("fires_next"),
            Unseen("A retry that is fired is a retry: one write on the version that was read."),
        ),
        (
            "_is_for_arming",
            drops("is_ready"),
            Unseen("What is not prepared wakes before its second, which `fires_next` sees."),
        ),
        ("_is_for_arming", drops("switch"), _RESTORE),
        ("_is_for_arming", drops("version"), _SOON),
        (
            "Arming.arm",
            drops("is not"),
            Unseen("Without a connector arming fails, and the slower way says why."),
        ),
        ("Arming.find", sets("copies", "[one.ref for one in arrivals]"), _RECENT),
        ("Arming.find", drops("_is_due"), _RECENT),
        ("Arming.find", sets("recent", "left"), _RECENT),
        ("Arming.find", passes("is_consistent", None), _RECENT),
        ("Arrival.is_whole", drops("version"), _RECENT),
    ),
    *mutations_of(
        "workers.publishing.alarm",
        ("Alarm.at_each", skips("notify"), _PLACES),
        ("Alarm._look", catches("AssertionError"), _PLACES),
    ),
    *mutations_of(
        "workers.publishing.worker",
        ("PublishWorker._work", never("not has_place"), _BULK),
        (
            "PublishWorker._post",
            always("post"),
            Unseen(
                "A transaction of DynamoDB's may show its target before its "
                "post; no engine here does."
            ),
        ),
        ("_may_begin_again", drops("wakes"), _BUSY),
        ("_may_begin_again", drops("error"), _BUSY),
        ("PublishWorker._post", sets("post", "self.preflight.posts.get_any(ref.post_id)"), _BUSY),
        ("PublishWorker.run", always("error"), _BUSY),
    ),
    *mutations_of(
        "storage.engine.targets",
        (
            "TargetRepository.fire",
            swaps(
                "unless_changed(target.version)",
                "__import__('chalicelib.kit.dynamodb.transaction').kit.dynamodb"
                ".transaction.PRESENT",
            ),
            SIMULATION,
        ),
        ("TargetRepository._put", takes_else("error"), _FIRES, _SAVES),
        ("TargetRepository._put", takes_first("error"), SIMULATION),
        ("TargetRepository._put.put", never(), _FIRES),
        ("TargetRepository._take", rewords(" AND #wake_at <= :now", ""), _SAVES),
        (
            "TargetRepository.claim",
            rewords(":publishing) AND #due_at <= :now", ":publishing)"),
            _SAVES,
        ),
        ("_read_refusal", sets("is_ours", "False"), _SAVES),
        ("TargetRepository._take", never(), _FAILURES),
        ("TargetRepository.renew", sets("shorter", "Expression('#lease_until <= :until')"), _SAVES),
        ("TargetRepository.claim", takes_else("ways"), _CLAIMS),
        ("TargetRepository.claim", always("is not"), _CLAIMS),
    ),
    *mutations_of(
        "storage.engine.claims",
        ("still_held", returns("Expression('#lease_token = :token', {'token': token})"), _SAVES),
        (
            "still_held",
            returns("Expression('#version = :version', {'version': version})"),
            Unseen(
                "The version alone decides: whoever took over has raised it. "
                "The token says so in the row."
            ),
        ),
        ("wake_kind", sets("is_ahead", "target is not None and False"), _CLAIMS),
    ),
    *mutations_of(
        "domain.engine.verdicts",
        ("next_move", never("_has_come"), _VERDICTS),
        ("next_move", never("_has_timed_out"), _VERDICTS),
        ("after_visible", takes_else(), _VERDICTS),
        ("_after_absence", sets("certain", "sent.at", "begun_by"), _VERDICTS),
        ("_after_absence", drops("absent"), _VERDICTS),
        ("_after_absence", never("absent"), _VERDICTS),
        ("_after_absence", sets("certain", "sent.at + _MADE_AGAIN", "at"), _VERDICTS),
        ("_after_absence", never(3), _VERDICTS),
        ("_after_absence", never("sent"), _VERDICTS),
        ("_reconcile_later", never(), _VERDICTS),
        ("_reconcile_later", always(), _VERDICTS),
        ("_after_failure", always("again"), _VERDICTS),
    ),
    *mutations_of(
        "workers.publishing.error_mapping",
        ("answer_of", returns("replace(_failure_of(error), answer=answer)", "doubt"), SIMULATION),
        ("_failure_of", drops("error"), _STORIES),
    ),
    *mutations_of(
        "workers.publishing.leases",
        ("LeaseKeeper._submit", skips("submit"), f"{_T}/test_leases.py"),
        (
            "ClaimedTarget.require",
            never(),
            Unseen(
                "The fence asks for 40 s of lease, and each write for the "
                "version: it only stops sooner."
            ),
        ),
        ("LeaseKeeper._begin", skips("self._guard"), f"{_T}/test_leases.py"),
        (
            "ClaimedTarget.is_due",
            drops("is_renewing"),
            Unseen("A second renewal of one lease only prolongs it again."),
        ),
    ),
    *mutations_of(
        "domain.engine.absence",
        ("decide", never("untellable"), _ABSENCE),
        ("decide", never("is_idempotent"), _ABSENCE),
        ("decide", never("looks_left"), _ABSENCE),
        ("decide", drops("is_certain"), _ABSENCE),
        ("decide", drops("has_proof"), _ABSENCE),
        ("decide", never("is_doubtful"), _ABSENCE),
        ("decide", swaps("now >= evidence.certain_from", "now > evidence.certain_from"), _ABSENCE),
        ("decide", swaps("now >= evidence.gives_up_at", "now > evidence.gives_up_at"), _ABSENCE),
        ("decide", takes_else("later"), _ABSENCE),
        ("decide", sets("later", "evidence.next_look or Absent()"), _ABSENCE),
    ),
    *mutations_of(
        "workers.publishing.reconciling",
        ("reconcile", always(), "tests/connectors/shared/test_restored.py"),
    ),
    *mutations_of(
        "workers.publishing.verdict_keeper",
        ("VerdictKeeper._remind", skips("send_near"), _LANES),
        ("VerdictKeeper._keep_live", always("live"), _ADOPTION),
        ("VerdictKeeper._remind", sets("ref", "replace(claimed.ref, wake_at=wake_at)"), _RECENT),
    ),
    *mutations_of(
        "storage.engine.wake_queue",
        ("Lanes.of", takes_else(), _LANES),
        ("Lanes.slower", takes_else(), _LANES),
        ("PublishQueue.send_near", drops("kind"), _RISKS),
        ("PublishQueue.send_near", swaps("ref.wake_at <= now + NEAR", "False"), SIMULATION),
        ("PublishQueue._send_batch", never("Id"), _TICK),
    ),
    *mutations_of(
        "workers.publishing.attempts",
        ("Attempts.keep_published", never("is not"), _ADOPTION),
        ("Attempts._persistently", catches("LookupError"), _FAILURES),
        ("Attempts.keep_waiting.ending_on", never(), _DELETED),
        ("_failure", sets("uses", "()"), SIMULATION),
        ("Attempts.keep_published", takes_first("found"), _ADOPTION),
    ),
    *mutations_of(
        "storage.engine.outcomes",
        ("OutcomeRepository._adopt", rewords("=", "<> :target OR #target_id ="), _ADOPTION),
        (
            "OutcomeRepository._update_post",
            swaps("unless_changed(post.version)", "None"),
            SIMULATION,
        ),
        (
            "OutcomeRepository.finish",
            never("ref"),
            Unseen("It is kept all the same: its worker only takes itself for late."),
        ),
        (
            "OutcomeRepository._write_ending",
            swaps("still_held(token, ending.target.version)", "None"),
            _SAVES,
        ),
        (
            "OutcomeRepository.take_over",
            swaps("unless_changed(twin.version)", "None"),
            Unseen(
                "The twin's post bears the version that its outcome raised, "
                "in the same transaction."
            ),
        ),
        (
            "OutcomeRepository._write_ending",
            swaps("(*ending.uses, *trial_uses)", "ending.uses"),
            SIMULATION,
        ),
    ),
    *mutations_of(
        "workers.publishing.preflight",
        ("Preflight.open", takes_else(), _LATE),
    ),
    *mutations_of(
        "domain.engine.admission",
        ("find_refusal", takes_else("now"), _ADMISSION),
        ("find_refusal", drops("is_in_doubt"), _ADMISSION),
        ("suspect", swaps("looked_for >= until", "True"), _ADMISSION),
        ("suspect", drops("is_newer"), _ADMISSION),
        ("find_deletion", takes_else(), _ADMISSION),
        ("suspect", always("since"), _ADMISSION),
        ("without_copy", returns("postponed(target, wait, facts)", "max"), _ADMISSION),
        ("without_copy", takes_else(), _ADMISSION),
        ("find_refusal", skips("NO_CONNECTOR"), _ADMISSION),
    ),
)
