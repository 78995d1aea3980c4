"""What the engine stands on, taken away alone: posts, ticks, checks, copies, kits, sign-ins."""

from typing import Final

from tests.mutations.judges import (
    ANSWERS,
    BOUNDS,
    BY_HAND,
    CHANGES,
    CONVERTING,
    COPIES,
    DEADLINES,
    FENCE,
    FIRE,
    LANE,
    LANES,
    PLACES,
    RECENT,
    RESTS,
    RISKS,
    STARTS,
    STEADY,
    TAKEOVER,
    TICK,
    VERBS,
    WAITING,
    WRITES,
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
        "kit.transport.fence",
        ("connect_only", skips("fence.only_connects"), WRITES),
        ("connect_only", swaps("False", "True"), WRITES),
    ),
    *mutations_of(
        "kit.transport.deadline",
        ("WatchedAdapter._connect_ahead", skips("cert_verify"), WRITES),
        ("PlainPool.connect_ahead", never("all"), WRITES),
        ("SecureConnection.is_connected", catches("KeyError", "ssl"), WRITES),
        ("SecureConnection.is_connected", always("super"), WRITES),
        ("SecureConnection.is_connected", never("pending"), ANSWERS),
        ("WatchedCall.take", never("_watch"), DEADLINES),
        ("Watch.watch", skips("notify"), DEADLINES),
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
        ("approve.let_go", sets("approved", "before"), VERBS),
    ),
    *mutations_of(
        "kit.limits.bulkhead",
        ("may_begin", sets("leaves_to_owners", "True"), PLACES, BOUNDS),
        ("may_begin", swaps("not taken.is_slow", "True"), PLACES, BOUNDS),
        ("may_begin", swaps("taken.at_server", "0 * taken.at_server"), PLACES, BOUNDS),
        ("may_begin", sets("left", "taken.free"), BOUNDS),
        (
            "Bulkhead._count_slow",
            swaps("self._servers.get(server, Counter()).items()", "()"),
            BOUNDS,
        ),
        ("Bulkhead.end", skips("discard"), PLACES),
        ("may_begin", returns("True", "leaves_to_owners"), PLACES, BOUNDS, SIMULATION),
        ("may_begin", takes_else(), PLACES, BOUNDS),
    ),
    *mutations_of(
        "kit.limits.waiting_calls",
        ("WaitingCalls._owner_at", never("takes_any"), BOUNDS),
        ("_in_turn", skips("move_to_end"), BOUNDS),
    ),
    *mutations_of(
        "kit.limits.thread_places",
        ("ThreadPlaces._finish", swaps("not self._is_pressed", "True"), BY_HAND),
        ("ThreadPlaces._mind", always(), BY_HAND),
        ("ThreadPlaces.stand_by", never("standing"), BY_HAND),
        ("ThreadPlaces.stand_by", swaps("now < self._stand_until", "True"), RESTS),
        ("ThreadPlaces.stand_by", sets("wanted", "calls"), BY_HAND),
    ),
    *mutations_of(
        "kit.limits.starts",
        (
            "Starts.may_begin",
            swaps("self._clock() - self._moved_at >= SLOW_AFTER_S", "False"),
            STARTS,
        ),
        (
            "Starts.may_begin",
            swaps("next(iter(self._computing.values())) <= overtaken", "False"),
            STARTS,
        ),
        ("Starts.may_begin", swaps("len(self._computing) < self._most", "True"), STARTS),
        ("Starts.begin", never("_computing"), STARTS),
        ("Starts.move_on", skips("self._moved_at"), STARTS),
    ),
    *mutations_of(
        "domain.posts.target",
        ("Target.is_tried_again", returns("False"), LANE),
        ("Target.is_tried_again", drops("retries"), LANE),
        ("Target.is_tried_again", drops("is_in_doubt"), LANE),
        ("Target.doubt", passes("status", None), SIMULATION, FENCE, "tests/domain/posts"),
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
        "bootstrap.engine",
        ("EngineParts.__init__.slower_way", takes_first(), LANES),
    ),
    *mutations_of(
        "bootstrap.engine_stores",
        ("make_lanes", always(), LANES),
    ),
    *mutations_of(
        "workers.media.converting",
        ("ConvertWorker._take_place", takes_first("1 if"), CONVERTING),
        ("ConvertWorker._take_place", takes_else("1 if"), CONVERTING),
        (
            "ConvertWorker._free_place",
            swaps("(self.places, *videos)", "(*videos, self.places)"),
            CONVERTING,
        ),
        ("ConvertWorker._make_copy", always("_TRIES_WITHOUT_MEMORY"), CONVERTING),
    ),
    *mutations_of(
        "workers.dispatcher",
        (
            "Dispatcher._send_checks",
            sets("begin", "now if last is None else now - _CHECKED_LATE"),
            TICK,
        ),
        ("Dispatcher._send_near", swaps("near", "()", 3), TICK),
        ("Dispatcher._send_near", swaps("replace(ref, kind=MessageKind.TICK)", "ref"), TICK),
        ("Dispatcher.tick", never("and before"), TICK),
        ("Dispatcher._send_checks", passes("kind", "MessageKind.CHECK"), TICK),
        ("Dispatcher._send_near", swaps("near", "()", 2), TICK),
        ("Dispatcher.tick", skips("write"), TICK),
        ("Dispatcher.tick", drops("EVERY"), TICK),
        ("Dispatcher.tick", always("_"), TICK),
        ("Dispatcher._send_overdue", never("is None"), TICK),
        ("Dispatcher._send_overdue", sets("sent", "self._queue.send([], now=now)"), TICK),
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
        ("ArmedTargets._outdate", returns("True"), FIRE),
    ),
    *mutations_of(
        "services.workspace.token_keeper",
        ("TokenKeeper.sign_in_anew", never("kept"), SIMULATION),
    ),
    *mutations_of(
        "workers.takeover",
        ("Takeover.run", skips("forget"), TAKEOVER),
        ("Takeover._find_held", passes("wakes", "99"), TAKEOVER),
    ),
    *mutations_of(
        "kit.aws_on_sqlite.steady_clock",
        ("SteadyClock._notice", never("believed_s"), STEADY),
        ("SteadyClock._notice", sets("self._step", "self._step", 2), STEADY),
        ("SteadyClock._notice", skips("_note"), STEADY),
        ("SteadyClock._note", skips("_write"), STEADY),
        ("SteadyClock.keep", never("stand"), STEADY),
        (
            "SteadyClock._stand_at",
            sets("self._step", "None"),
            Unseen("Who notices the step again takes from what is kept since when it stands."),
        ),
        ("SteadyClock._is_believed", drops("has_stood"), STEADY),
        ("SteadyClock._is_believed", drops("_former_s"), STEADY),
        ("SteadyClock._look", never("_KEPT_AGAIN_S"), STEADY),
        ("SteadyClock._write", passes("step", "None"), STEADY),
    ),
    *mutations_of(
        "kit.aws_on_sqlite.kept_stand",
        ("KeptStand.read", never("boot_id"), STEADY),
        ("KeptStand.read", catches("OSError"), STEADY),
        ("KeptStand.write", swaps("0o600", "0o644"), STEADY),
        ("KeptStand.write", swaps("suppress(OSError)", "suppress(ValueError)"), STEADY),
    ),
    *mutations_of(
        "kit.limits.waiting_calls",
        ("WaitingCalls.take_next", never("free"), BOUNDS),
        ("WaitingCalls._server_for", sets("servers", "[]"), BOUNDS),
    ),
    *mutations_of(
        "storage.media.prepared_copies",
        ("AskedCopy.is_forgotten", returns("False"), COPIES),
        ("AskedCopy.is_forgotten", sets("last", "self.asked_at"), COPIES),
        ("AskedCopy.is_forgotten", swaps("now - last > _FORGOTTEN_AFTER", "True"), COPIES),
    ),
    *mutations_of(
        "storage.media.conversions",
        ("Conversions.ask_again", takes_first("asked"), COPIES),
        ("Conversions.ask_again", takes_else("asked"), COPIES),
    ),
    *mutations_of(
        "workers.media.shared_copies",
        ("SharedCopies.find_or_request", takes_else("is_forgotten"), WAITING),
    ),
    *mutations_of(
        "workers.publishing.preflight",
        ("Preflight.run", swaps("error.since", "facts().now"), CONVERTING),
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
            RECENT,
        ),
    ),
    *mutations_of(
        "services.posts.risks",
        ("PostRisks.check", drops("kind"), RISKS),
        ("PostRisks.check", never("ref"), RISKS),
        ("PostRisks.check", sets("facts", "_facts(self.recent_reads, post, target)", 1), RISKS),
        ("PostRisks._is_suspect", drops("ends_soon"), RISKS),
        ("PostRisks._is_suspect", skips("_check_later"), RISKS),
        ("PostRisks._check_later", drops("wakes_as_sent"), RISKS),
    ),
    *mutations_of(
        "storage.posts.posts",
        ("PostRepository.recent", passes("is_consistent", None), RISKS),
    ),
    *mutations_of(
        "services.posts.updates",
        ("_checked_at", swaps("now + CHECK_AHEAD + CHECK_NEAR", "now + CHECK_AHEAD"), RISKS),
        ("_checked_at", returns("now", "max"), RISKS),
        (
            "PostUpdates._remind",
            swaps("self.lanes.of(target)", "self.lanes.fire"),
            "tests/workers/publishing/test_asked_for_soon.py",
        ),
        ("PostUpdates.carry_out", skips("before"), CHANGES),
        ("PostUpdates.carry_out", skips("decide"), CHANGES),
        ("PostUpdates.read", never("post"), CHANGES),
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
        ("stop", always(), VERBS),
        ("_require_connected", always("facts"), VERBS),
        ("_send", drops("post"), VERBS),
        ("_require_unscheduled", drops("post"), VERBS),
        ("_send", takes_first(), VERBS),
        ("queue", sets("after", "post.with_targets(moved)"), VERBS),
    ),
    *mutations_of(
        "domain.posts.progress",
        (
            "Progress.set_off",
            passes("unanswered", "False"),
            SIMULATION,
            "tests/domain/posts",
            FENCE,
        ),
    ),
)
