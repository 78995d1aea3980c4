"""What the engine stands on, taken away alone: posts, ticks, checks, copies, kits, sign-ins."""

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
        "kit.transport.fence",
        ("connect_only", skips("fence.only_connects"), _WRITES),
        ("connect_only", swaps("False", "True"), _WRITES),
    ),
    *mutations_of(
        "kit.transport.deadline",
        ("WatchedAdapter._connect_ahead", skips("cert_verify"), _WRITES),
        ("PlainPool.connect_ahead", never("all"), _WRITES),
        ("SecureConnection.is_connected", catches("KeyError", "ssl"), _WRITES),
        ("SecureConnection.is_connected", always(), _WRITES),
    ),
    *mutations_of(
        "domain.posts.post",
        ("Post.may_go_out", returns("True"), SIMULATION),
    ),
    *mutations_of(
        "storage.posts.changes",
        (
            "_goes_out_as",
            returns("(post.caption, post.attachment)"),
            Unseen(
                "What changes an approval rearms or cancels every target "
                "that waits, which says it too."
            ),
        ),
    ),
    *mutations_of(
        "domain.posts.reviewing",
        ("_require_waiting", never("seen"), SIMULATION),
        ("approve.let_go", sets("approved", "before"), _VERBS),
    ),
    *mutations_of(
        "kit.limits.bulkhead",
        ("may_begin", sets("leaves_to_owners", "True"), _PLACES, _BOUNDS),
        ("may_begin", swaps("not taken.is_slow", "True"), _PLACES, _BOUNDS),
        ("may_begin", swaps("taken.at_server", "0 * taken.at_server"), _PLACES, _BOUNDS),
        ("may_begin", sets("left", "taken.free"), _BOUNDS),
        (
            "Bulkhead._count_slow",
            swaps("self._servers.get(server, Counter()).items()", "()"),
            _BOUNDS,
        ),
        ("Bulkhead.end", skips("discard"), _PLACES),
        ("may_begin", returns("True", "leaves_to_owners"), _PLACES, _BOUNDS, SIMULATION),
        ("may_begin", takes_else(), _PLACES, _BOUNDS),
    ),
    *mutations_of(
        "kit.limits.waiting_calls",
        ("WaitingCalls._next_to", never("takes_any"), _BOUNDS),
        ("WaitingCalls._next_to", swaps("owners.append", "owners.appendleft", 2), _PLACES),
    ),
    *mutations_of(
        "kit.limits.thread_places",
        ("ThreadPlaces._finish", swaps("not self._is_pressed", "True"), _PLACES),
        ("ThreadPlaces._mind", always(), _PLACES),
    ),
    *mutations_of(
        "domain.posts.target",
        ("Target.is_tried_again", returns("False"), _LANE),
        ("Target.is_tried_again", drops("retries"), _LANE),
        ("Target.is_tried_again", drops("is_in_doubt"), _LANE),
        ("Target.doubt", passes("status", None), SIMULATION, _FENCE, "tests/domain/posts"),
        (
            "Target.clear_doubt",
            drops("is_suspicion"),
            Unseen("It names a time before the restore, which is looked for all the same."),
        ),
        (
            "Target.is_cancellable",
            swaps(
                "self.status is TargetStatus.SCHEDULED and (not self.is_in_doubt)",
                "self.status is TargetStatus.SCHEDULED or self.is_in_doubt",
            ),
            SIMULATION,
        ),
        ("Target.is_editable", returns("True"), SIMULATION),
        (
            "Target.fires_next",
            drops("begun"),
            Unseen("A retry that is fired is a retry, as above."),
        ),
    ),
    *mutations_of(
        "bootstrap.deployment",
        ("Deployment.fire_worker.slower_way", takes_first(), _LANES),
    ),
    *mutations_of(
        "bootstrap.storage",
        ("Storage.retries_queue", never(), _LANES),
    ),
    *mutations_of(
        "workers.media.converting",
        ("ConvertWorker._take_place", takes_first("1 if"), _CONVERTING),
        ("ConvertWorker._take_place", takes_else("1 if"), _CONVERTING),
        (
            "ConvertWorker._free_place",
            swaps("(self.places, *videos)", "(*videos, self.places)"),
            _CONVERTING,
        ),
        ("ConvertWorker._make_copy", always("_TRIES_WITHOUT_MEMORY"), _CONVERTING),
    ),
    *mutations_of(
        "workers.dispatcher",
        (
            "Dispatcher._send_checks",
            sets("begin", "now if last is None else now - _CHECKED_LATE"),
            _TICK,
        ),
        ("Dispatcher._send_near", swaps("near", "()", 2), _TICK),
        ("Dispatcher._send_near", swaps("replace(ref, kind=MessageKind.TICK)", "ref"), _TICK),
        ("Dispatcher.tick", never("and before"), _TICK),
        ("Dispatcher._send_checks", passes("kind", "MessageKind.CHECK"), _TICK),
        ("Dispatcher._send_near", swaps("near", "()", 1), _TICK),
        ("Dispatcher.tick", skips("write"), _TICK),
        ("Dispatcher.tick", drops("EVERY"), _TICK),
        ("Dispatcher.tick", always("_"), _TICK),
        ("Dispatcher._send_overdue", never("is None"), _TICK),
        ("Dispatcher._send_overdue", sets("sent", "self._queue.send([], now=now)"), _TICK),
    ),
    *mutations_of(
        "storage.engine.switch",
        (
            "EngineSwitch._write",
            swaps(
                "self._table.put(row, unless_changed(version) if version else _UNNUMBERED)",
                "self._table.put(row)",
            ),
            "tests/storage/engine/test_switch.py",
        ),
    ),
    *mutations_of(
        "services.operator.key_administration",
        ("KeyAdministration.revoke_key", skips("_note_key"), SIMULATION),
    ),
    *mutations_of(
        "storage.engine.armed_targets",
        ("ArmedTargets._outdate", returns("True"), _FIRE),
    ),
    *mutations_of(
        "services.workspace.token_keeper",
        ("TokenKeeper.signed_anew", never("kept"), SIMULATION),
    ),
    *mutations_of(
        "workers.takeover",
        ("Takeover.run", skips("forget"), _TAKEOVER),
    ),
    *mutations_of(
        "kit.aws_on_sqlite.engine",
        ("Engine.writing", rewords("ROLLBACK", "COMMIT"), "tests/kit/aws_on_sqlite/test_engine.py"),
    ),
    *mutations_of(
        "storage.workspace.token_store",
        ("SealedTokenStore.lock", returns("True"), SIMULATION),
        (
            "SealedTokenStore.keep",
            swaps(
                "Retrying()(lambda: self.rows.replace(seen, sealed))",
                "self.rows.replace(seen, sealed)",
            ),
            "tests/connectors/shared/auth",
        ),
    ),
    *mutations_of(
        "storage.workspace.accounts",
        (
            "AccountRepository.several",
            swaps(
                "BatchRead(self._directory.client)",
                "BatchRead(self._directory.client, is_consistent=False)",
            ),
            _RECENT,
        ),
    ),
    *mutations_of(
        "services.posts.risks",
        ("PostRisks.check", drops("kind"), _RISKS),
        ("PostRisks.check", never("ref"), _RISKS),
        ("PostRisks.check", sets("facts", "_facts(self.recent_reads, post, target)", 1), _RISKS),
        ("PostRisks._is_suspect", drops("ends_soon"), _RISKS),
        ("PostRisks._is_suspect", skips("_check_later"), _RISKS),
        ("PostRisks._check_later", drops("wakes_as_sent"), _RISKS),
    ),
    *mutations_of(
        "storage.posts.posts",
        ("PostRepository.recent", passes("is_consistent", None), _RISKS),
    ),
    *mutations_of(
        "services.posts.updates",
        ("_checked_at", swaps("now + CHECK_AHEAD + CHECK_NEAR", "now + CHECK_AHEAD"), _RISKS),
        ("_checked_at", returns("now", "max"), _RISKS),
        (
            "PostUpdates._remind",
            swaps("self.lanes.of(target)", "self.lanes.fire"),
            "tests/workers/publishing/test_asked_for_soon.py",
        ),
        ("PostUpdates.carry_out", skips("before"), _CHANGES),
        ("PostUpdates.carry_out", skips("decide"), _CHANGES),
        ("PostUpdates.read", never("post"), _CHANGES),
    ),
    *mutations_of(
        "kit.dynamodb.table",
        ("BatchRead._read_some", sets("asked", "{}"), "tests/kit/dynamodb/test_batch_read.py"),
        ("BatchRead._read_some", never("_TRIES"), "tests/kit/dynamodb/test_transaction.py"),
        (
            "BatchRead._read_some",
            swaps("self._is_consistent", "False"),
            Unseen("What was read too early is refused by its version."),
        ),
    ),
    *mutations_of(
        "kit.dynamodb.transaction",
        (
            "Transaction.commit",
            passes("ClientRequestToken", "uuid.uuid4().hex"),
            "tests/kit/dynamodb/test_transaction.py",
        ),
    ),
    *mutations_of(
        "domain.posts.verbs",
        ("stop", always(), _VERBS),
        ("_connected", always("facts"), _VERBS),
        ("_send", drops("post"), _VERBS),
        ("_unscheduled", drops("post"), _VERBS),
        ("_send", takes_first(), _VERBS),
        ("queue", sets("after", "post.with_targets(moved)"), _VERBS),
    ),
    *mutations_of(
        "domain.posts.progress",
        (
            "Progress.set_off",
            passes("unanswered", "False"),
            SIMULATION,
            "tests/domain/posts",
            _FENCE,
        ),
    ),
)
