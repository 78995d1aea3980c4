"""Every condition, fence, reminder, guard and bound of the engine, taken away alone."""

from typing import Final

from tests.mutations.judges import (
    ABSENCE,
    ADMISSION,
    ADOPTION,
    BULK,
    BUSY,
    CLAIMS,
    DELETED,
    FAILURES,
    FENCE,
    FIRE,
    FIRES,
    LANES,
    LATE,
    PLACES,
    RECENT,
    RESTORE,
    RISKS,
    SAVES,
    SOON,
    STANDING,
    STORIES,
    TICK,
    VERDICTS,
    T,
)
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

MUTATIONS: Final = (
    *mutations_of(
        "workers.publishing.firing",
        ("FireWorker._begun", never("is not None"), FIRE),
        ("FireWorker.fire", drops("stops"), BULK),
        ("FireWorker._fire", swaps("self.clock() <= until", "True"), BULK),
        ("FireWorker._set_alarm", drops("wall"), FIRE),
        ("FireWorker._mind", never("now"), BULK),
        ("FireWorker.fire", takes_else("one"), BULK),
        ("FireWorker._arm", never("Unarmed"), SIMULATION),
        ("FireWorker._fire_anew", never("run"), FIRE),
        ("FireWorker._fire_anew", returns("None", 2), BULK),
        ("FireWorker.fire", drops("seen.state == switch"), FIRE),
        ("FireWorker.fire", drops("CATCHING_UP"), FIRE),
        ("FireWorker.fire", drops("_fire_anew"), FIRE),
        ("FireWorker.fire", never("CATCHING_UP"), FIRE),
        ("FireWorker.fire", swaps("seen.at + ARMED_FOR", "until"), FIRE),
        (
            "FireWorker._set_alarm",
            swaps("run.publication.due_at", "run.publication.due_at - timedelta(seconds=3)"),
            SIMULATION,
        ),
        ("FireWorker.run_all", returns("[(one.ref, None) for one in arrivals]"), SIMULATION),
        ("FireWorker._arm", passes("kind", "wake_kind(None)"), CLAIMS),
    ),
    *mutations_of(
        "workers.publishing.run",
        ("Run.call", drops("has_sent"), FENCE),
        ("Run._may_begin", drops("is_early_enough"), FENCE),
        ("Run._may_begin", drops("claimed"), FENCE),
        ("Run._may_begin", returns("True", 2), FENCE),
        ("Run._make_visible", swaps("claimed.save", "claimed.become"), FAILURES, FENCE),
        ("Run.call", sets("answered_at", "None"), FIRE),
        ("Run._reconcile", sets("is_deleted", "False"), DELETED),
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
        ("_is_for_arming", drops("switch"), RESTORE),
        ("_is_for_arming", drops("version"), SOON),
        (
            "Arming.arm",
            drops("is not"),
            Unseen("Without a connector arming fails, and the slower way says why."),
        ),
        ("Arming.find", sets("copies", "[one.ref for one in arrivals]"), RECENT),
        ("Arming.find", drops("_is_due"), RECENT),
        ("Arming.find", sets("recent", "left"), RECENT),
        ("Arming.find", passes("is_consistent", None), RECENT),
        ("Arrival.is_whole", drops("version"), RECENT),
    ),
    *mutations_of(
        "workers.publishing.alarm",
        ("Alarm.at_each", skips("notify"), PLACES, STANDING),
        ("Alarm._look", catches("AssertionError"), PLACES),
        ("Alarm._tell_of_many", drops("_TOLD_AHEAD"), STANDING),
        ("Alarm._tell_of_many", drops("enough"), STANDING),
        ("Alarm._tell_of_many", takes_else(), STANDING),
    ),
    *mutations_of(
        "workers.publishing.worker",
        ("PublishWorker._work", never("not has_place"), BULK),
        (
            "PublishWorker._post",
            always("post"),
            Unseen(
                "A transaction of DynamoDB's may show its target before its "
                "post; no engine here does."
            ),
        ),
        ("_may_begin_again", drops("wakes"), BUSY),
        ("_may_begin_again", drops("error"), BUSY),
        ("PublishWorker._post", sets("post", "self.preflight.posts.get_any(ref.post_id)"), BUSY),
        ("PublishWorker.run", always("error"), BUSY),
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
        ("TargetRepository._put", takes_else("error"), FIRES, SAVES),
        ("TargetRepository._put", takes_first("error"), SIMULATION),
        ("TargetRepository._put", takes_first("is_fresh"), FIRES),
        ("TargetRepository._take", rewords(" AND #wake_at <= :now", ""), SAVES),
        (
            "TargetRepository.claim",
            rewords(":publishing) AND #due_at <= :now", ":publishing)"),
            SAVES,
        ),
        ("_read_refusal", sets("is_ours", "False"), SAVES),
        ("TargetRepository._take", never(), FAILURES),
        ("TargetRepository.renew", sets("shorter", "Expression('#lease_until <= :until')"), SAVES),
        ("TargetRepository.claim", takes_else("ways"), CLAIMS),
        ("TargetRepository.claim", always("is not"), CLAIMS),
    ),
    *mutations_of(
        "storage.engine.claims",
        ("still_held", returns("Expression('#lease_token = :token', {'token': token})"), SAVES),
        (
            "still_held",
            returns("Expression('#version = :version', {'version': version})"),
            Unseen(
                "The version alone decides: whoever took over has raised it. "
                "The token says so in the row."
            ),
        ),
        ("wake_kind", sets("is_ahead", "target is not None and False"), CLAIMS),
    ),
    *mutations_of(
        "domain.engine.verdicts",
        ("_step", never("_has_come"), VERDICTS),
        ("_step", never("_has_timed_out"), VERDICTS),
        ("after_visible", takes_else(), VERDICTS),
        ("_after_absence", sets("certain", "sent.at", "begun_by"), VERDICTS),
        ("_after_absence", drops("absent"), VERDICTS),
        ("_after_absence", never("absent"), VERDICTS),
        ("_after_absence", sets("certain", "sent.at + _MADE_AGAIN", "at"), VERDICTS),
        ("_after_absence", never(3), VERDICTS),
        ("_after_absence", never("sent"), VERDICTS),
        ("_reconcile_later", never(), VERDICTS),
        ("_reconcile_later", always(), VERDICTS),
        ("_after_failure", always("again"), VERDICTS),
    ),
    *mutations_of(
        "workers.publishing.error_mapping",
        ("_meant_by", returns("replace(_failure_of(error), answer=answer)", "doubt"), SIMULATION),
        ("_failure_of", drops("error"), STORIES),
    ),
    *mutations_of(
        "workers.publishing.leases",
        ("LeaseKeeper._submit", skips("submit"), f"{T}/test_leases.py"),
        (
            "ClaimedTarget.require",
            never(),
            Unseen(
                "The fence asks for 40 s of lease, and each write for the "
                "version: it only stops sooner."
            ),
        ),
        ("LeaseKeeper._begin", skips("self._guard"), f"{T}/test_leases.py"),
        (
            "ClaimedTarget.is_due",
            drops("is_renewing"),
            Unseen("A second renewal of one lease only prolongs it again."),
        ),
    ),
    *mutations_of(
        "domain.engine.absence",
        ("decide", never("untellable"), ABSENCE),
        ("decide", never("is_idempotent"), ABSENCE),
        ("decide", never("looks_left"), ABSENCE),
        ("decide", drops("is_certain"), ABSENCE),
        ("decide", drops("has_proof"), ABSENCE),
        ("decide", never("is_doubtful"), ABSENCE),
        ("decide", swaps("now >= evidence.certain_from", "now > evidence.certain_from"), ABSENCE),
        ("decide", swaps("now >= evidence.gives_up_at", "now > evidence.gives_up_at"), ABSENCE),
        ("decide", takes_else("later"), ABSENCE),
        ("decide", sets("later", "evidence.next_look or Absent()"), ABSENCE),
    ),
    *mutations_of(
        "workers.publishing.reconciling",
        ("reconcile", always(), "tests/connectors/shared/test_restored.py"),
    ),
    *mutations_of(
        "workers.publishing.verdict_keeper",
        ("VerdictKeeper._remind", skips("send_near"), LANES),
        ("VerdictKeeper._keep_live", always("live"), ADOPTION),
        ("VerdictKeeper._remind", sets("ref", "replace(claimed.ref, wake_at=wake_at)"), RECENT),
    ),
    *mutations_of(
        "storage.engine.wake_queue",
        ("Lanes.of", takes_else(), LANES),
        ("Lanes.slower", takes_else(), LANES),
        ("PublishQueue.send_near", drops("kind"), RISKS),
        ("PublishQueue.send_near", swaps("ref.wake_at <= now + NEAR", "False"), SIMULATION),
        ("PublishQueue._send_batch", never("Id"), TICK),
    ),
    *mutations_of(
        "workers.publishing.attempts",
        ("Attempts.keep_published", never("is not"), ADOPTION),
        ("Attempts._persistently", catches("LookupError"), FAILURES),
        ("Attempts.keep_waiting.ending_on", never(), DELETED),
        ("_failure", sets("uses", "()"), SIMULATION),
        ("Attempts.keep_published", takes_first("found"), ADOPTION),
    ),
    *mutations_of(
        "storage.engine.outcomes",
        ("OutcomeRepository._adopt", rewords("=", "<> :target OR #target_id ="), ADOPTION),
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
            SAVES,
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
        ("Preflight.open", takes_else(), LATE),
    ),
    *mutations_of(
        "domain.engine.admission",
        ("find_refusal", takes_else("now"), ADMISSION),
        ("find_refusal", drops("is_in_doubt"), ADMISSION),
        ("_restored", swaps("looked_for >= until", "True"), ADMISSION),
        ("_restored", drops("is_newer"), ADMISSION),
        ("find_deletion", takes_else(), ADMISSION),
        ("suspect", always("since"), ADMISSION),
        ("without_copy", returns("postpone(target, wait, facts)", "max"), ADMISSION),
        ("without_copy", swaps("max(since, target.due_at or since)", "since"), ADMISSION),
        (
            "without_copy",
            swaps("max(since, target.due_at or since)", "target.due_at or since"),
            ADMISSION,
        ),
        ("without_copy", takes_else(), ADMISSION),
        ("find_refusal", skips("NO_CONNECTOR"), ADMISSION),
    ),
)
