"""The tests that must notice a mutation, each by a short name."""

VERDICTS, ADMISSION, ABSENCE = (
    "tests/domain/engine/test_verdicts.py",
    "tests/domain/engine/test_admission.py",
    "tests/domain/engine/test_absence.py",
)
WEAR = "tests/domain/engine/test_wear.py"
T = "tests/workers/publishing"
FENCE, FIRE = f"{T}/test_fence.py", f"{T}/test_armed_fire.py"
WRITES = "tests/kit/transport/test_fence.py"
ANSWERS = "tests/kit/transport/test_final_answers.py"
PLACES = "tests/kit/limits/test_thread_places.py"
BY_HAND = "tests/kit/limits/test_thread_places_by_hand.py"
STARTS = "tests/kit/limits/test_starts_alone.py"
BOUNDS = "tests/kit/limits/test_bulkhead.py"
BULK = f"{T}/test_bulkheads.py"
FAILURES, DELETED = f"{T}/failures", f"{T}/test_deleted.py"
RESTORE, LATE = "tests/journeys/test_restore.py", f"{T}/test_late_policy.py"
BUSY = f"{T}/failures/test_busy_tables.py"
TAKEOVER = f"{T}/failures/test_takeover.py"
WORN_OUT = f"{T}/failures/test_worn_out.py"
SOON = f"{T}/test_asked_for_soon.py"
STORIES = f"{T}/test_publishing.py"
CONVERTING = "tests/workers/media/test_converting.py"
SAVES = "tests/storage/engine/test_saves.py"
FIRES, TICK = "tests/storage/engine/test_fires.py", "tests/workers/test_dispatcher.py"
RISKS, RECENT = "tests/api/checks/test_risks.py", f"{T}/test_recent_reads.py"
CLAIMS, STANDING = f"{T}/test_claims.py", f"{T}/test_standing_by.py"
THREADS, DEADLINES = (
    "tests/kit/limits/test_refused_threads.py",
    "tests/kit/transport/test_deadlines.py",
)
LANE, LANES = "tests/domain/posts/test_transitions.py", f"{T}/test_lanes.py"
ADOPTION = f"{T}/test_adoption.py"
VERBS, CHANGES = "tests/domain/posts/test_verbs.py", "tests/services/posts/test_updates.py"
STEADY = "tests/kit/aws_on_sqlite/test_steady_clock.py"
COPIES = "tests/storage/media/test_prepared_copies.py"
WAITING = "tests/workers/media/test_waiting_for_copies.py"
REMINDERS, CHARGING = "tests/domain/posts/test_reminders.py", "tests/domain/posts/test_charging.py"
PLANS, AUTH = "tests/domain/workspace/test_plans.py", "tests/connectors/shared/auth/test_tokens.py"
SERIES = "tests/api/resources/test_series.py"
THREADS = "tests/kit/limits/test_refused_threads.py"
RESTS = "tests/kit/limits/test_resting_threads.py"
HEALTH = "tests/workers/publishing/test_health_of_accounts.py"
NO_THREADS = f"{T}/test_refused_threads.py"
BURSTS, PRIVATE = "tests/workers/test_bursts.py", "tests/local/test_private_files.py"
TURNS, QUEUES = (
    "tests/kit/aws_on_sqlite/test_fair_turns.py",
    "tests/kit/aws_on_sqlite/test_queues.py",
)
SWEEPS, EXPIRY = (
    "tests/kit/aws_on_sqlite/test_sweeps_of_many.py",
    "tests/kit/aws_on_sqlite/test_expiry.py",
)
WAKES, POLLER = (
    "tests/storage/engine/test_wake_queue.py",
    "tests/local/triggers/test_queue_poller.py",
)
MACHINE = "tests/kit/limits/test_machine_places.py"
