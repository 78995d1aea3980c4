"""Every condition, fence, reminder, guard and bound of the engine, taken away alone."""

from typing import Final

from tests.mutations.mutation import SIMULATION, Mutation

_P, _E, _D, _V = "workers/publishing", "storage/engine", "domain/posts", "domain/engine"
_VERDICTS, _ADMISSION, _ABSENCE = (
    "tests/domain/engine/test_verdicts.py",
    "tests/domain/engine/test_admission.py",
    "tests/domain/engine/test_absence.py",
)
_T = "tests/workers/publishing"
_FENCE, _FIRE = f"{_T}/test_fence.py", f"{_T}/test_armed_fire.py"
_TRANSPORT = "kit/transport"
_WRITES = "tests/kit/transport/test_fence.py"
_LIMITS = "kit/limits"
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
_ANY = 'Expression("attribute_exists(#pk)")'

MUTATIONS: Final = (
    # At the second: what is looked at before a call.
    Mutation(f"{_P}/firing.py", "if switch is not None and switch.paused:", "if False:", (_FIRE,)),
    Mutation(
        f"{_P}/firing.py", "if now_so is None or now_so.paused:", "if now_so is None:", (_BULK,)
    ),
    Mutation(f"{_P}/firing.py", "lambda: self.clock() <= until", "lambda: True", (_BULK,)),
    Mutation(
        f"{_P}/firing.py",
        "if run.connector.connects_ahead and connects_at > self.wall():",
        "if run.connector.connects_ahead:",
        (_FIRE,),
    ),
    Mutation(f"{_TRANSPORT}/fence.py", "fence.only_connects = True", "pass", (_WRITES,)),
    Mutation(
        f"{_TRANSPORT}/fence.py",
        "with fence_requests(lambda: False) as fence:",
        "with fence_requests(lambda: True) as fence:",
        (_WRITES,),
    ),
    Mutation(
        f"{_TRANSPORT}/deadline.py",
        "self.cert_verify(pool, request.url, verify, cert=None)",
        "pass",
        (_WRITES,),
    ),
    Mutation(
        f"{_TRANSPORT}/deadline.py",
        "if all(self._is_open(one) for one in tuple(waiting.queue)):",
        "if False:",
        (_WRITES,),
    ),
    Mutation(
        f"{_TRANSPORT}/deadline.py", "except ssl.SSLWantReadError:", "except KeyError:", (_WRITES,)
    ),
    Mutation(
        f"{_TRANSPORT}/deadline.py",
        "if self.sock is None or super().is_connected:",
        "if True:",
        (_WRITES,),
    ),
    Mutation(
        f"{_P}/run.py",
        "if fence.has_stopped and not fence.has_sent:",
        "if fence.has_stopped:",
        (_FENCE,),
    ),
    Mutation(f"{_P}/firing.py", "if one.is_stuck(now) and one.decide():", "if False:", (_BULK,)),
    Mutation(
        f"{_P}/firing.py",
        "rest = None if switch is None else self._fire(one, run)",
        "rest = self._fire(one, run)",
        (_BULK,),
    ),
    Mutation(f"{_P}/firing.py", "if armed is Unarmed.SLOWER_WAY:", "if False:"),
    Mutation(
        f"{_P}/firing.py",
        "return None if run_again is None else self._fire(again, run_again)",
        "return None",
        (_BULK,),
    ),
    Mutation(
        f"{_P}/arming.py",
        "target.fires_next\n        and is_ready",
        "is_ready",
        (),
        "A retry that is fired is a retry: one write on the version that was read.",
    ),
    Mutation(
        f"{_P}/arming.py",
        "and is_ready\n",
        "\n",
        (),
        "What is not prepared wakes before its second, which `fires_next` sees.",
    ),
    Mutation(
        f"{_P}/arming.py",
        "and not suspect(post, target, switch.confirm_since, switch.confirm_until).is_in_doubt",
        "",
        (_RESTORE,),
    ),
    Mutation(
        f"{_P}/arming.py",
        "is_in_doubt\n        and post.version >= target.post_version",
        "is_in_doubt",
        (_SOON,),
    ),
    Mutation(
        f"{_P}/arming.py",
        "or self.preflight.refusal(target, account) is not None",
        "",
        (),
        "Without a connector arming fails, and the slower way says why.",
    ),
    Mutation(
        f"{_P}/firing.py",
        "due_at, owner = run.publication.due_at,",
        "due_at, owner = run.publication.due_at - timedelta(seconds=3),",
    ),
    Mutation(f"{_P}/alarm.py", "self._sooner.notify()", "pass", (_PLACES,)),
    Mutation(f"{_P}/alarm.py", "except Exception:", "except AssertionError:", (_PLACES,)),
    Mutation(
        f"{_P}/firing.py",
        "return [(one.ref, one.end.exception()) for one in arrivals]",
        "return [(one.ref, None) for one in arrivals]",
    ),
    # Approvals.
    Mutation(f"{_D}/post.py", "return self.approval in (None, Approval.APPROVED)", "return True"),
    Mutation(
        "storage/posts/changes.py",
        "return post.caption, post.attachment, post.approval",
        "return post.caption, post.attachment",
        (),
        "What changes an approval rearms or cancels every target that waits, which says it too.",
    ),
    Mutation(
        f"{_D}/reviewing.py",
        "if decision.seen not in (None, post.revision):",
        "if False:",
    ),
    # Bulkhead and turns.
    Mutation(
        f"{_LIMITS}/bulkhead.py",
        "leaves_to_owners = taken.own <= own * left",
        "leaves_to_owners = True",
        (_PLACES, _BOUNDS),
    ),
    Mutation(
        f"{_LIMITS}/bulkhead.py",
        "leaves_to_quick_ones = not taken.is_slow or",
        "leaves_to_quick_ones = True or",
        (_PLACES, _BOUNDS),
    ),
    Mutation(
        f"{_LIMITS}/bulkhead.py",
        "leaves_to_servers = taken.at_server",
        "leaves_to_servers = 0 * taken.at_server",
        (_PLACES, _BOUNDS),
    ),
    Mutation(f"{_LIMITS}/bulkhead.py", "left = taken.free - 1", "left = taken.free", (_BOUNDS,)),
    Mutation(
        f"{_LIMITS}/bulkhead.py",
        "for owner, calls in self._servers.get(server, Counter()).items():",
        "for owner, calls in ():",
        (_BOUNDS,),
    ),
    Mutation(
        f"{_LIMITS}/waiting_calls.py",
        "if not bounds.takes_any(server):",
        "if False:",
        (_BOUNDS,),
    ),
    Mutation(f"{_LIMITS}/bulkhead.py", "self._running.discard(one)", "pass", (_PLACES,)),
    Mutation(
        f"{_LIMITS}/waiting_calls.py",
        "if calls:\n                owners.append(owner)",
        "if calls:\n                owners.appendleft(owner)",
        (_PLACES,),
    ),
    Mutation(
        f"{_LIMITS}/thread_places.py", "lambda: not self._is_pressed", "lambda: True", (_PLACES,)
    ),
    Mutation(
        f"{_LIMITS}/thread_places.py",
        "if self._is_minded or not self._waiting:",
        "if True:",
        (_PLACES,),
    ),
    Mutation(f"{_P}/worker.py", "if not has_place:", "if False:", (_BULK,)),
    # The claim at the second.
    Mutation(
        f"{_E}/targets.py",
        "unless_changed(target.version)",
        "__import__('chalicelib.kit.dynamodb.transaction').kit.dynamodb.transaction.PRESENT",
    ),
    Mutation(
        f"{_E}/targets.py",
        "return saved if is_kept(error, saved) else None",
        "return None",
        (_FIRES, _SAVES),
    ),
    Mutation(f"{_E}/targets.py", "return saved if is_kept(error, saved) else None", "return saved"),
    Mutation(f"{_E}/targets.py", "if not is_fresh():", "if False:", (_FIRES,)),
    Mutation(
        f"{_E}/claims.py",
        '"#lease_token = :token AND #version = :version", {"token": token, "version": version}',
        '"#lease_token = :token", {"token": token}',
        (_SAVES,),
    ),
    Mutation(
        f"{_E}/claims.py",
        '"#lease_token = :token AND #version = :version", {"token": token, "version": version}',
        '"#version = :version", {"version": version}',
        (),
        "The version alone decides: whoever took over has raised it. The token says so in the row.",
    ),
    # Doubt, fence and lease.
    Mutation(
        f"{_P}/run.py",
        "return is_early_enough and claimed.lease_left >= LEASE_FOR_A_CALL",
        "return claimed.lease_left >= LEASE_FOR_A_CALL",
        (_FENCE,),
    ),
    Mutation(
        f"{_P}/run.py",
        "return is_early_enough and claimed.lease_left >= LEASE_FOR_A_CALL",
        "return is_early_enough",
        (_FENCE,),
    ),
    Mutation(
        f"{_P}/run.py",
        "return is_early_enough and claimed.lease_left >= LEASE_FOR_A_CALL",
        "return True",
        (_FENCE,),
    ),
    Mutation(
        f"{_P}/run.py",
        "claimed.save(claimed.target.doubt(checkpoint, sent, now=now))",
        "claimed.become(claimed.target.doubt(checkpoint, sent, now=now))",
        (_FAILURES, _FENCE),
    ),
    Mutation(f"{_V}/verdicts.py", "if not _has_come(target, facts):", "if False:", (_VERDICTS,)),
    Mutation(
        f"{_V}/verdicts.py",
        "if _has_timed_out(target, facts):",
        "if False:",
        (_VERDICTS,),
    ),
    Mutation(
        f"{_V}/verdicts.py",
        "settled = target.clear_doubt() if isinstance(outcome, Failed) else target",
        "settled = target",
        (_VERDICTS,),
    ),
    Mutation(f"{_P}/run.py", "answered_at = self.keeper.clock()", "answered_at = None", (_FIRE,)),
    Mutation(
        f"{_P}/error_mapping.py",
        "return Unanswered(doubt)",
        "return replace(_failure_of(error), answer=answer)",
    ),
    Mutation(
        f"{_P}/leases.py",
        "self._renewals.submit(claimed.renew)",
        "pass",
        (f"{_T}/test_leases.py",),
    ),
    Mutation(
        f"{_P}/leases.py",
        "if self._lost or self._clock() >= self._lease.until:",
        "if False:",
        (),
        "The fence asks for 40 s of lease, and each write for the version: it only stops sooner.",
    ),
    Mutation(
        f"{_P}/leases.py",
        "            with self._guard:\n                self._is_looking = False",
        "            pass",
        (f"{_T}/test_leases.py",),
    ),
    Mutation(
        f"{_P}/leases.py",
        " or self.is_renewing",
        "",
        (),
        "A second renewal of one lease only prolongs it again.",
    ),
    # Looks.
    Mutation(
        f"{_V}/verdicts.py",
        "certain = sent.begun_by + CALL_DEADLINE",
        "certain = sent.at",
        (_VERDICTS,),
    ),
    Mutation(
        f"{_V}/verdicts.py",
        "if absent.is_idempotent and not is_over",
        "if not is_over",
        (_VERDICTS,),
    ),
    Mutation(
        f"{_V}/verdicts.py",
        "if absent.is_idempotent and not is_over and not facts.is_deleted:",
        "if False:",
        (_VERDICTS,),
    ),
    Mutation(
        f"{_V}/verdicts.py",
        "min(max(_MADE_AGAIN, (sent.at - due_at) / 4), _AFTER_FAILURE)",
        "_MADE_AGAIN",
        (_VERDICTS,),
    ),
    Mutation(
        f"{_V}/verdicts.py",
        "    if facts.is_deleted:",
        "    if False:",
        (_VERDICTS,),
    ),
    Mutation(
        f"{_P}/run.py",
        "is_deleted = isinstance(finding, Absent) and self.keeper.is_deleted(claimed)",
        "is_deleted = False",
        (_DELETED,),
    ),
    # May it be sent again: the rows of its table.
    *(
        Mutation(f"{_V}/absence.py", before, after, (_ABSENCE,))
        for before, after in (
            ("if evidence.untellable:", "if False:"),
            ("if evidence.is_idempotent:", "if False:"),
            ("if evidence.looks_left:", "if False:"),
            ("if is_certain and evidence.has_proof:", "if evidence.has_proof:"),
            ("if is_certain and evidence.has_proof:", "if is_certain:"),
            ("Unknown() if evidence.is_doubtful else", "Unknown() if False else"),
            ("now >= evidence.certain_from", "now > evidence.certain_from"),
            ("now >= evidence.gives_up_at", "now > evidence.gives_up_at"),
            ("Unknown() if has_given_up else later", "later"),
            ("evidence.next_look or Unknown()", "evidence.next_look or Absent()"),
        )
    ),
    Mutation(
        f"{_P}/reconciling.py",
        "if not isinstance(finding, Absent) or finding.by_own_key or not sent.is_suspicion:",
        "if True:",
        ("tests/connectors/shared/test_restored.py",),
    ),
    Mutation(
        f"{_V}/verdicts.py",
        "if is_over and not sent.is_suspicion:",
        "if False:",
        (_VERDICTS,),
    ),
    # Ends of a try.
    Mutation(
        f"{_P}/verdict_keeper.py",
        "self.lanes.of(target).send_near([ref], now=self.clock())",
        "pass",
        (_LANES,),
    ),
    Mutation(
        f"{_E}/wake_queue.py",
        "self.fire if target.fires_next else self.slower(target)",
        "self.slower(target)",
        (_LANES,),
    ),
    Mutation(
        f"{_E}/wake_queue.py",
        "self.retry if target.is_tried_again else self.prepare",
        "self.prepare",
        (_LANES,),
    ),
    Mutation(f"{_D}/target.py", "self.progress.retries or self.is_in_doubt", "False", (_LANE,)),
    Mutation(f"{_D}/target.py", "return self.progress.retries or ", "return ", (_LANE,)),
    Mutation(f"{_D}/target.py", "retries or self.is_in_doubt", "retries", (_LANE,)),
    Mutation(
        "bootstrap/deployment.py",
        "self.prepare_queue if target is None else self.lanes.slower(target)",
        "self.prepare_queue",
        (_LANES,),
    ),
    Mutation("bootstrap/storage.py", "if not self.settings.retries_apart:", "if False:", (_LANES,)),
    Mutation(
        f"{_V}/verdicts.py",
        "if sent is not None and facts.now > max(sent.begun_by, due_at) + DOUBT_TIMEOUT:",
        "if False:",
        (_VERDICTS,),
    ),
    Mutation(
        f"{_V}/verdicts.py",
        "if sent is not None and facts.now > max(sent.begun_by, due_at) + DOUBT_TIMEOUT:",
        "if True:",
        (_VERDICTS,),
    ),
    Mutation(f"{_V}/verdicts.py", "    if again is None:", "    if True:", (_VERDICTS,)),
    Mutation(
        f"{_P}/verdict_keeper.py",
        "            if live.target.progress.checkpoint is None:",
        "            if True:",
        (_ADOPTION,),
    ),
    Mutation(
        f"{_P}/attempts.py",
        "            if found is not None:\n                raise",
        "            if False:\n                raise",
        (_ADOPTION,),
    ),
    Mutation(
        f"{_P}/attempts.py", "except StorageUnavailableError:", "except LookupError:", (_FAILURES,)
    ),
    Mutation(f"{_P}/attempts.py", "if post.deleted_at is not None:", "if False:", (_DELETED,)),
    Mutation(f"{_P}/attempts.py", "uses = give_back(ended.charge)", "uses = ()"),
    Mutation(
        f"{_P}/attempts.py",
        "doubted=None if found is None else target",
        "doubted=None",
        (_ADOPTION,),
    ),
    Mutation(
        f"{_E}/outcomes.py",
        '"attribute_not_exists(#pk) OR #target_id = :target"',
        '"attribute_not_exists(#pk) OR #target_id <> :target OR #target_id = :target"',
        (_ADOPTION,),
    ),
    Mutation(f"{_E}/outcomes.py", "            unless_changed(post.version),", "            None,"),
    Mutation(
        f"{_E}/outcomes.py",
        "if self._is_kept(ref, ending.target):",
        "if False:",
        (),
        "It is kept all the same: its worker only takes itself for late.",
    ),
    Mutation(
        f"{_E}/outcomes.py",
        "            still_held(token, ending.target.version),",
        "            None,",
        (_SAVES,),
    ),
    Mutation(
        f"{_E}/outcomes.py",
        "            unless_changed(twin.version),",
        "            None,",
        (),
        "The twin's post bears the version that its outcome raised, in the same transaction.",
    ),
    # Claims of the slower way.
    Mutation(f"{_E}/targets.py", "AND #wake_at <= :now AND (", "AND (", (_SAVES,)),
    Mutation(
        f"{_E}/targets.py",
        '"#status IN (:scheduled, :publishing) AND #due_at <= :now"',
        '"#status IN (:scheduled, :publishing)"',
        (_SAVES,),
    ),
    Mutation(f"{_E}/targets.py", 'row.get("lease_token") == lease.token', "False", (_SAVES,)),
    Mutation(f"{_E}/targets.py", 'if row["wakes"] > MOST_WAKES:', "if False:", (_FAILURES,)),
    Mutation(
        f"{_E}/targets.py",
        '"#lease_token = :token AND #lease_until <= :until", {"token": lease.token}',
        '"#lease_until <= :until"',
        (_SAVES,),
    ),
    # Before a run.
    Mutation(
        f"{_P}/worker.py",
        "if post.version >= target.post_version:",
        "if True:",
        (),
        "A transaction of DynamoDB's may show its target before its post; no engine here does.",
    ),
    Mutation(
        f"{_P}/preflight.py",
        "None if self._waits_its_turn(claimed) else account",
        "account",
        (_LATE,),
    ),
    Mutation(
        f"{_V}/admission.py",
        "LATE if is_first and now > (target.due_at or now) + TOO_LATE else None",
        "None",
        (_ADMISSION,),
    ),
    Mutation(
        f"{_V}/admission.py",
        "target.progress.tries == 0 and not target.is_in_doubt",
        "target.progress.tries == 0",
        (_ADMISSION,),
    ),
    Mutation(f"{_V}/admission.py", "looked_for >= until)", "True)", (_ADMISSION,)),
    Mutation(f"{_V}/admission.py", "if is_newer or (looked_for", "if (looked_for", (_ADMISSION,)),
    Mutation(
        f"{_V}/admission.py",
        "return DELETED if is_over else None",
        "return None",
        (_ADMISSION,),
    ),
    Mutation(f"{_V}/admission.py", "    if since is None:", "    if True:", (_ADMISSION,)),
    # Copies of files.
    Mutation(
        f"{_V}/admission.py",
        "max(wait, least)",
        "wait",
        (_ADMISSION,),
    ),
    Mutation(
        f"{_V}/admission.py",
        "timedelta(0) if is_near(target, facts.now) else _UNHURRIED_WAIT",
        "_UNHURRIED_WAIT",
        (_ADMISSION,),
    ),
    Mutation(
        "workers/media/converting.py",
        "range(1 if asked.put_back else _LOOKS)",
        "range(1)",
        (_CONVERTING,),
    ),
    Mutation(
        "workers/media/converting.py",
        "range(1 if asked.put_back else _LOOKS)",
        "range(_LOOKS)",
        (_CONVERTING,),
    ),
    Mutation(
        "workers/media/converting.py",
        "videos if is_long else (self.places, *videos)",
        "videos if is_long else (*videos, self.places)",
        (_CONVERTING,),
    ),
    # Others' calls, limits and keys.
    Mutation(
        f"{_LIMITS}/bulkhead.py",
        "return left >= 0 and leaves_to_owners and leaves_to_servers and leaves_to_quick_ones",
        "return True",
        (_PLACES, _BOUNDS, SIMULATION),
    ),
    Mutation(
        f"{_LIMITS}/bulkhead.py",
        "_SLOW_FOR_A_FREE_PLACE if taken.is_slow else _OWN_FOR_A_FREE_PLACE",
        "_OWN_FOR_A_FREE_PLACE",
        (_PLACES, _BOUNDS),
    ),
    Mutation(
        f"{_P}/error_mapping.py",
        "wait = error.retry_after or timedelta(0)",
        "wait = timedelta(0)",
        (_STORIES,),
    ),
    Mutation(f"{_V}/admission.py", "return NO_CONNECTOR", "pass", (_ADMISSION,)),
    Mutation(
        "workers/dispatcher.py",
        "max(now - _CHECKED_LATE, last + CHECK_WINDOW)",
        "now - _CHECKED_LATE",
        (_TICK,),
    ),
    Mutation(
        f"{_E}/switch.py",
        "self._table.put(row, unless_changed(version) if version else _UNNUMBERED)",
        "self._table.put(row)",
        ("tests/storage/engine/test_switch.py",),
    ),
    Mutation(
        "services/operator/key_administration.py",
        "self._note_key(self.keys.revoke(workspace_id, key_id, self.clock()), "
        "Deed.KEY_REVOKED, by)",
        "pass",
        (SIMULATION,),
    ),
    Mutation(
        f"{_E}/outcomes.py",
        "(*ending.uses, *trial_uses)",
        "ending.uses",
        (SIMULATION,),
    ),
    # Accounts and their sign-ins.
    Mutation(
        f"{_E}/armed_targets.py",
        "return self._retrying(lambda: self._table.update(key, _TWO_MORE, its_own))",
        "return True",
        (_FIRE,),
    ),
    Mutation(
        "services/workspace/token_keeper.py",
        "if kept.tokens.access == refused.token:",
        "if False:",
    ),
    Mutation("workers/takeover.py", "self.mark.forget()", "pass", (_TAKEOVER,)),
    Mutation(
        "kit/aws_on_sqlite/engine.py",
        'self._writer.execute("ROLLBACK")',
        'self._writer.execute("COMMIT")',
        ("tests/kit/aws_on_sqlite/test_engine.py",),
    ),
    Mutation(
        "workers/media/converting.py",
        "if conversion.tries < _TRIES_WITHOUT_MEMORY:",
        "if True:",
        (_CONVERTING,),
    ),
    Mutation(
        "storage/workspace/token_store.py",
        "return self.rows.lock(replace(account, token_version=version), now=now, until=now + LOCK)",
        "return True",
    ),
    # The tick.
    Mutation(
        "workers/dispatcher.py",
        "for ref in near if ref.wake_at <= rescued_until",
        "for ref in () if ref.wake_at <= rescued_until",
        (_TICK,),
    ),
    Mutation(
        "workers/publishing/arming.py",
        "copies = [one.ref for one in arrivals if one.ref.kind is MessageKind.COPY]",
        "copies = [one.ref for one in arrivals]",
        (_RECENT,),
    ),
    Mutation(
        "workers/publishing/arming.py",
        "if one.ref in wake_times and not self._is_due(one.ref, wake_times[one.ref]):",
        "if one.ref in wake_times:",
        (_RECENT,),
    ),
    Mutation(
        "workers/publishing/arming.py",
        "[one for one in left if one.ref.kind is MessageKind.TICK]",
        "left",
        (_RECENT,),
    ),
    Mutation(
        "workers/publishing/arming.py",
        "self._read(recent, is_consistent=False)",
        "self._read(recent)",
        (_RECENT,),
    ),
    Mutation(
        "workers/publishing/arming.py",
        "is not None and post.version >= target.post_version",
        "is not None",
        (_RECENT,),
    ),
    Mutation(
        "storage/workspace/accounts.py",
        "BatchRead(self._directory.client)",
        "BatchRead(self._directory.client, is_consistent=False)",
        (_RECENT,),
    ),
    Mutation(
        "workers/publishing/verdict_keeper.py",
        "ref = claimed.ref.waking_at(wake_at, target)",
        "ref = replace(claimed.ref, wake_at=wake_at)",
        (_RECENT,),
    ),
    Mutation(
        "workers/dispatcher.py",
        "[replace(ref, kind=MessageKind.TICK) for ref in near if ref.wake_at > seen_until]",
        "[ref for ref in near if ref.wake_at > seen_until]",
        (_TICK,),
    ),
    Mutation(
        "workers/dispatcher.py", "if before is not None and before > now:", "if False:", (_TICK,)
    ),
    # Which claim is tried first.
    Mutation(f"{_E}/targets.py", "reversed(ways) if is_ahead else ways", "ways", (_CLAIMS,)),
    Mutation(f"{_E}/targets.py", "if taken is not TargetStatus.SCHEDULED:", "if True:", (_CLAIMS,)),
    Mutation(f"{_E}/claims.py", "and target.is_prepared_next", "and False", (_CLAIMS,)),
    Mutation(f"{_P}/firing.py", "kind=wake_kind(one.target)", "kind=wake_kind(None)", (_CLAIMS,)),
    # The check ahead.
    Mutation(
        "workers/dispatcher.py",
        "kind=MessageKind.TICK_CHECK)",
        "kind=MessageKind.CHECK)",
        (_TICK,),
    ),
    Mutation(
        "services/posts/risks.py",
        "if ref.kind is MessageKind.TICK_CHECK and not self._is_suspect(ref):",
        "if not self._is_suspect(ref):",
        (_RISKS,),
    ),
    Mutation(
        "services/posts/risks.py",
        "if ref.kind is MessageKind.TICK_CHECK and not self._is_suspect(ref):",
        "if False:",
        (_RISKS,),
    ),
    Mutation(
        "services/posts/risks.py",
        "facts = _facts(self.reads, post, target)\n        account",
        "facts = _facts(self.recent_reads, post, target)\n        account",
        (_RISKS,),
    ),
    Mutation("services/posts/risks.py", "return ends_soon or bool(", "return bool(", (_RISKS,)),
    Mutation("services/posts/risks.py", "self._check_later(ref, target)", "pass", (_RISKS,)),
    Mutation("services/posts/risks.py", "if wakes_as_sent and", "if", (_RISKS,)),
    Mutation(
        "storage/posts/posts.py",
        "self.several({post_id}, is_consistent=False)",
        "self.several({post_id})",
        (_RISKS,),
    ),
    Mutation("services/posts/updates.py", "CHECK_AHEAD + CHECK_NEAR", "CHECK_AHEAD", (_RISKS,)),
    Mutation(
        "services/posts/updates.py",
        "return max(now, due_at - CHECK_AHEAD)",
        "return now",
        (_RISKS,),
    ),
    Mutation(f"{_E}/wake_queue.py", "if ref.kind.is_check or ref", "if ref", (_RISKS,)),
    Mutation(
        "workers/dispatcher.py",
        "for ref in near if ref.wake_at > seen_until]",
        "for ref in () if ref.wake_at > seen_until]",
        (_TICK,),
    ),
    Mutation(
        "workers/dispatcher.py", "            self._mark.write(now)", "            pass", (_TICK,)
    ),
    Mutation(
        "services/posts/updates.py",
        "messages[self.lanes.of(target)].append(ref)",
        "messages[self.lanes.fire].append(ref)",
        ("tests/workers/publishing/test_asked_for_soon.py",),
    ),
    Mutation(
        "workers/dispatcher.py",
        "before is not None and now - before <= EVERY + _LATE",
        "before is not None",
        (_TICK,),
    ),
    Mutation(
        "workers/dispatcher.py", "if all(is_whole for _, is_whole in sent):", "if True:", (_TICK,)
    ),
    Mutation(
        "workers/dispatcher.py",
        "if waiting is None or waiting >= SHORT_QUEUE:",
        "if False:",
        (_TICK,),
    ),
    Mutation("workers/dispatcher.py", "islice(_in_turn(overdue), MOST_OVERDUE)", "[]", (_TICK,)),
    Mutation(f"{_E}/wake_queue.py", "or ref.wake_at <= now + NEAR", "or False"),
    Mutation(f"{_E}/wake_queue.py", 'if entry["Id"] in refused', "if False", (_TICK,)),
    # Tables.
    Mutation(
        "kit/dynamodb/table.py",
        'asked = dict(answer.get("UnprocessedKeys", {}))',
        "asked = {}",
        ("tests/kit/dynamodb/test_batch_read.py",),
    ),
    Mutation(
        "kit/dynamodb/table.py",
        "if in_vain > _TRIES:",
        "if False:",
        ("tests/kit/dynamodb/test_transaction.py",),
    ),
    Mutation(
        "kit/dynamodb/transaction.py",
        "ClientRequestToken=token,",
        "ClientRequestToken=uuid.uuid4().hex,",
        ("tests/kit/dynamodb/test_transaction.py",),
    ),
    Mutation(
        "kit/dynamodb/table.py",
        '{"Keys": [], "ConsistentRead": self._is_consistent}',
        '{"Keys": [], "ConsistentRead": False}',
        (),
        "What was read too early is refused by its version.",
    ),
    # What a verb makes of a post, and carrying it out.
    Mutation(f"{_D}/verbs.py", "if target.is_cancellable]", "if True]", (_VERBS,)),
    Mutation(
        f"{_D}/verbs.py",
        "if target.account_id in facts.caller.accounts]",
        "if True]",
        (_VERBS,),
    ),
    Mutation(
        f"{_D}/verbs.py",
        "if not wanted or post.approval is Approval.REJECTED:",
        "if not wanted:",
        (_VERBS,),
    ),
    Mutation(
        f"{_D}/verbs.py",
        "if not chosen or post.approval is Approval.REJECTED:",
        "if not chosen:",
        (_VERBS,),
    ),
    Mutation(
        f"{_D}/verbs.py",
        "lead = timedelta(0) if post.may_go_out else None",
        "lead = timedelta(0)",
        (_VERBS,),
    ),
    Mutation(
        f"{_D}/verbs.py",
        "after = replace(post.with_targets(moved), queued_at=at)",
        "after = post.with_targets(moved)",
        (_VERBS,),
    ),
    Mutation(
        f"{_D}/reviewing.py",
        "approved = replace(before, approval=Approval.APPROVED)",
        "approved = before",
        (_VERBS,),
    ),
    Mutation(
        "services/posts/updates.py",
        "before = self.read(by, before.id)",
        "pass",
        (_CHANGES,),
    ),
    Mutation("services/posts/updates.py", "decide = following", "pass", (_CHANGES,)),
    Mutation(
        "services/posts/updates.py", "if not by.accepts(post.revision):", "if False:", (_CHANGES,)
    ),
    # A target's own rules.
    Mutation(
        f"{_D}/target.py",
        "return replace(self, status=TargetStatus.PUBLISHING, progress=progress)",
        "return replace(self, progress=progress)",
        (SIMULATION, _FENCE, "tests/domain/posts"),
    ),
    Mutation(
        f"{_D}/target.py",
        "if sent is not None and sent.is_suspicion:",
        "if sent is not None:",
        (),
        "It names a time before the restore, which is looked for all the same.",
    ),
    Mutation(
        f"{_D}/target.py",
        "waits_for_its_time = self.status is TargetStatus.SCHEDULED and not self.is_in_doubt",
        "waits_for_its_time = self.status is TargetStatus.SCHEDULED or self.is_in_doubt",
    ),
    Mutation(f"{_D}/target.py", "return not fixed and not self.is_in_doubt", "return True"),
    Mutation(
        f"{_D}/target.py",
        "return not begun and waits and progress.wake_at == self.due_at",
        "return waits and progress.wake_at == self.due_at",
        (),
        "A retry that is fired is a retry, as above.",
    ),
    Mutation(
        f"{_D}/progress.py",
        "unanswered=self.sent is not None,",
        "unanswered=False,",
        (SIMULATION, "tests/domain/posts", _FENCE),
    ),
    Mutation(
        f"{_P}/worker.py",
        "return is_passing(error) and target.progress.wakes == 1",
        "return is_passing(error)",
        (_BUSY,),
    ),
    Mutation(f"{_P}/worker.py", "return is_passing(error) and", "return", (_BUSY,)),
    Mutation(
        f"{_P}/worker.py",
        "retrying(lambda: self.preflight.posts.get_any(ref.post_id))",
        "self.preflight.posts.get_any(ref.post_id)",
        (_BUSY,),
    ),
    Mutation(
        f"{_P}/worker.py",
        "if not _may_begin_again(error, claimed.target):",
        "if True:",
        (_BUSY,),
    ),
    Mutation(
        "storage/workspace/token_store.py",
        "Retrying()(lambda: self.rows.replace(seen, sealed))",
        "self.rows.replace(seen, sealed)",
        ("tests/connectors/shared/auth",),
    ),
)
