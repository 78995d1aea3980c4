"""The rows of docs/security-model.md: what is asked, in our own words, and what answers it.

A row is answered by tests, by a reason why it does not apply, or is open. `LIVE` is open until a
deployment is looked at: its TLS, its access to logs. Numbers are those of ASVS 5.0 and of the API
Top 10 of 2023.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One thing that is asked; exactly one of the last four says how it is answered."""

    number: str
    asks: str
    level: int = 2
    tests: tuple[str, ...] = ()
    not_applicable: str = ""
    live: str = ""
    open: str = ""


def _by(number: str, asks: str, *tests: str, level: int = 2) -> Row:
    return Row(number=number, asks=asks, level=level, tests=tests)


V8: Final = (
    _by(
        "8.1.1",
        "it is documented who may do what (api.md, app.md, the tables of rights)",
        "test_every_endpoint_asks_for_a_key_as_the_table_says",
        "test_every_form_that_needs_a_session_is_in_the_table",
        level=1,
    ),
    _by(
        "8.1.2",
        "it is documented which parts of a post may be changed in which state",
        "test_what_is_scheduled_changes_by_key_and_role_together",
    ),
    _by(
        "8.1.3",
        "it is documented which circumstances count: the time since the last proof",
        "test_every_form_that_needs_a_session_is_in_the_table",
        level=3,
    ),
    _by(
        "8.1.4",
        "it is documented how they count: after 10 minutes, a passkey or new link is needed",
        "test_a_form_that_opens_the_workspace_asks_who_is_there_after_10_minutes",
        level=3,
    ),
    _by(
        "8.2.1",
        "each function checks its permission",
        "test_a_key_does_what_its_scope_and_role_both_allow",
        "test_a_form_is_refused_by_the_role_and_by_nothing_else",
        level=1,
    ),
    _by(
        "8.2.2",
        "each record is checked for its owner",
        "test_an_id_of_another_workspace_is_not_found",
        "test_a_body_cannot_name_what_is_in_another_workspace",
        "test_a_neighbour_gets_no_part",
        level=1,
    ),
    _by(
        "8.2.3",
        "each field is checked for its permission",
        "test_what_is_scheduled_changes_by_key_and_role_together",
        "test_an_unknown_field_is_refused_and_the_known_ones_are_named",
    ),
    _by(
        "8.2.4",
        "sign-ins from new places and old proofs are treated differently",
        "test_a_new_passkey_key_and_sign_in_from_a_new_place_are_told_once",
        "test_after_10_minutes_a_form_does_nothing_but_ask",
        level=3,
    ),
    _by(
        "8.3.1",
        "permissions are checked by the service, never only by a script in the browser",
        "test_a_form_is_refused_by_the_role_and_by_nothing_else",
        level=1,
    ),
    _by(
        "8.3.2",
        "a permission that was taken away is gone at the next request",
        "test_a_revocation_holds_from_the_next_request",
        "test_a_new_role_holds_at_the_next_request",
        level=3,
    ),
    _by(
        "8.3.3",
        "whatever acts for a person has that person's rights: assistants, series, review links",
        "test_a_member_is_offered_only_what_the_own_role_allows",
        "test_a_review_link_ends_when_who_shared_it_may_not_publish_any_more",
        level=3,
    ),
    _by(
        "8.4.1",
        "nobody reaches another tenant, not even with a form opened before switching",
        "test_a_key_sees_only_its_own_workspace",
        "test_a_form_of_one_workspace_never_deletes_or_exports_another",
        "test_no_secret_and_nobody_else_is_in_it",
    ),
    Row(
        number="8.4.2",
        asks="administration has several layers of protection",
        level=3,
        not_applicable="there is no administration over the network: operators use a terminal on "
        "the server, or AWS with their own credentials",
    ),
)
V14: Final = (
    _by(
        "14.1.1",
        "sensitive data is listed and classified (see above, and personal-data.md)",
        "test_each_key_is_of_one_kind",
        "test_its_table_is_as_the_code_says",
    ),
    _by(
        "14.1.2",
        "each class says how it is encrypted, kept, logged and deleted (see above)",
        "test_its_times_are_those_of_the_code",
    ),
    _by(
        "14.2.1",
        "no address contains a key or a session; links are single-use or expire soon",
        "test_a_log_line_names_the_template_and_never_the_address",
        "test_a_link_ends_after_15_minutes",
        level=1,
    ),
    _by(
        "14.2.2",
        "no cache on the way stores an answer",
        "test_nobody_keeps_a_file_longer_than_its_address",
        "test_no_answer_of_the_app_is_kept_by_a_cache",
    ),
    _by(
        "14.2.3",
        "nothing is sent to third parties; pages load nothing from others",
        "test_every_page_forbids_scripts_of_others_and_frames",
    ),
    _by(
        "14.2.4",
        "the code does what the classes require",
        "test_no_row_holds_the_secret_of_a_link",
        "test_what_was_sealed_for_an_account_opens_for_it",
        "test_logs_hold_no_key_and_no_body",
    ),
    _by(
        "14.2.5",
        "an unknown path never serves somebody's page",
        "test_nothing_else_is_served",
        level=3,
    ),
    _by(
        "14.2.6",
        "answers contain a secret only once, when it is created",
        "test_a_key_is_shown_once_and_works_until_it_is_revoked",
        level=3,
    ),
    _by(
        "14.2.7",
        "old data is deleted automatically: files, activity, sessions, links, exports",
        "test_it_goes_after_7_days",
        "test_a_session_ends_after_90_days_however_busy",
        level=3,
    ),
    _by(
        "14.2.8",
        "place and camera are removed from files before they are sent",
        "test_a_photo_that_fits_is_cleaned_before_it_leaves_unless_it_is_proven_clean",
        level=3,
    ),
    _by(
        "14.3.1",
        "signing out leaves nothing in the browser, whether the server answers or not",
        "test_signing_out_leaves_nothing_in_the_browser",
        level=1,
    ),
    _by(
        "14.3.2",
        "browsers are told to cache no page",
        "test_no_answer_of_the_app_is_kept_by_a_cache",
    ),
    _by(
        "14.3.3",
        "what a browser keeps is not sensitive: counts, and what its author typed until that is "
        "saved, is 14 days old, or the author signs out or somebody else signs in",
        "test_signing_out_leaves_nothing_in_the_browser",
        "test_what_comes_late_is_not_kept_any_more",
        "test_what_was_typed_is_kept_for_14_days",
        "test_what_was_typed_goes_when_somebody_else_signs_in",
    ),
)
V16: Final = (
    _by(
        "16.1.1",
        "a list of what is logged, where, and for how long (operations.md)",
        "test_every_action_that_is_logged_is_explained",
    ),
    _by(
        "16.2.1",
        "each line says when, where, who and what",
        "test_one_log_line_tells_who_did_what_and_how_it_ended",
        "test_a_day_is_told_from_the_log_alone",
    ),
    _by(
        "16.2.2",
        "times are UTC, from a synchronized clock",
        "test_a_line_holds_the_sentence_and_the_facts_beside_it",
        "test_a_clock_that_nobody_sets_is_told",
    ),
    _by(
        "16.2.3",
        "lines go to standard output, or the function's log group, and nowhere else",
        "test_every_function_has_a_role_a_log_and_alarms_of_its_own",
    ),
    _by(
        "16.2.4",
        "lines are JSON with the same names everywhere",
        "test_a_line_holds_the_sentence_and_the_facts_beside_it",
    ),
    _by(
        "16.2.5",
        "no line contains a secret, a caption or a name",
        "test_logs_hold_no_key_and_no_body",
        "test_no_secret_of_a_grant_is_stored_or_logged",
        "test_a_token_in_a_log_is_caught",
    ),
    _by(
        "16.3.1",
        "every sign-in and every refused one is logged, with its method",
        "test_a_sign_in_is_told_with_the_member_and_the_address",
        "test_a_link_that_was_used_up_is_told_as_refused_once_a_minute",
        "test_keys_are_told_created_first_used_refused_and_revoked",
    ),
    _by(
        "16.3.2",
        "every request refused for a missing permission is logged",
        "test_one_log_line_tells_who_did_what_and_how_it_ended",
    ),
    _by(
        "16.3.3",
        "attempts to bypass rules are logged: each refused request, with status and code",
        "test_one_log_line_tells_who_did_what_and_how_it_ended",
        "test_a_link_that_was_used_up_is_told_as_refused_once_a_minute",
    ),
    _by(
        "16.3.4",
        "unexpected failures are logged, those of other services too",
        "test_a_store_that_does_not_answer_is_503_and_one_line",
        "test_a_failure_stays_on_one_line",
    ),
    _by("16.4.1", "nobody can forge a line of the log", "test_a_failure_stays_on_one_line"),
    Row(
        number="16.4.2",
        asks="who may read and change the log",
        live="functions may only add lines; the AWS account decides who reads them",
    ),
    Row(
        number="16.4.3",
        asks="the log is kept apart from the service",
        live="on AWS it is CloudWatch's; on one server, the operator forwards the journal",
    ),
    _by(
        "16.5.1",
        "an unexpected failure reveals no internals",
        "test_a_surprise_is_500_and_shows_nothing_of_the_inside",
        "test_a_bucket_that_fails_shows_nothing_of_the_inside",
    ),
    _by(
        "16.5.2",
        "the service keeps working when others fail",
        "test_hanging_calls_make_nobody_elses_post_late",
        "test_a_store_that_does_not_answer_is_503_and_one_line",
    ),
    _by(
        "16.5.3",
        "after a failure, nothing is left half done",
        "test_each_post_goes_out_once_though_processes_are_killed",
        "test_one_that_is_cut_off_anywhere_goes_on",
    ),
    _by(
        "16.5.4",
        "a last handler catches everything else",
        "test_a_surprise_is_500_and_shows_nothing_of_the_inside",
        level=3,
    ),
)
API_TOP_10: Final = (
    _by(
        "API1",
        "access to records of others",
        "test_an_id_of_another_workspace_is_not_found",
        "test_a_body_cannot_name_what_is_in_another_workspace",
        level=1,
    ),
    _by(
        "API2",
        "keys, links and passkeys that admit the wrong person",
        "test_a_link_works_once",
        "test_who_keeps_a_secret_of_one_s_own_choice_cannot_say_what_a_passkey_signs",
        "test_a_refresh_token_used_again_ends_the_grant_for_thief_and_owner",
        level=1,
    ),
    _by(
        "API3",
        "access to fields that somebody may not read or write",
        "test_an_unknown_field_is_refused_and_the_known_ones_are_named",
        "test_what_is_scheduled_changes_by_key_and_role_together",
        level=1,
    ),
    _by(
        "API4",
        "requests that cost more than they should",
        "test_two_thousand_strangers_write_no_row_and_are_in_nobodys_way",
        "test_whatever_is_made_up_waits_in_the_crowd_at_every_door",
        "test_a_workspace_beyond_its_share_is_told_how_long_to_wait",
        "test_memory_is_small_and_parts_are_bounded_whatever_there_is",
        level=1,
    ),
    _by(
        "API5",
        "access to functions that somebody may not use",
        "test_every_key_changes_what_is_scheduled_by_key_and_role_together",
        "test_a_form_is_refused_by_the_role_and_by_nothing_else",
        "test_nobody_but_an_owner_sees_or_gets_it",
        level=1,
    ),
    _by(
        "API6",
        "using a function far too often: posting is limited by plan and allowance",
        "test_a_plan_without_the_api_comes_before_scopes_and_shapes",
        "test_one_question_an_hour_goes_out_whatever_is_typed",
        level=1,
    ),
    _by(
        "API7",
        "making the service call addresses that it should not (SSRF)",
        "test_a_private_address_is_never_asked",
        "test_a_redirect_is_returned_and_not_followed",
        "test_only_the_operators_own_origins_are_exempt_and_to_the_digit",
        level=1,
    ),
    _by(
        "API8",
        "insecure settings",
        "test_no_site_may_call_unless_the_operator_named_it",
        "test_nothing_listens_but_the_service_itself",
        "test_the_bucket_is_private_encrypted_and_takes_browsers_uploads",
        level=1,
    ),
    _by(
        "API9",
        "forgotten endpoints",
        "test_every_declared_endpoint_stands_in_the_table_once_and_nothing_else_does",
        level=1,
    ),
    _by(
        "API10",
        "trusting the answers of other services",
        "test_made_up_requests_meet_nothing_undocumented",
        "test_a_certificate_that_nobody_vouches_for_is_wrong",
        "test_an_endless_body_ends_at_the_bytes_that_were_allowed",
        level=1,
    ),
)
OTHERS: Final = (
    _by(
        "3.4.1",
        "browsers are told to use https alone, for this host and those under it (pages; the proxy "
        "of one server tells it with every answer)",
        "test_behind_a_proxy_that_uses_tls_the_cookie_is_for_tls_alone",
        "test_browsers_are_told_to_use_https_with_every_answer_of_the_proxy",
        level=1,
    ),
    Row(
        number="5.4.3",
        asks="files of strangers are scanned for known malware",
        not_applicable="only photos and videos are kept: told by their bytes, read by a process "
        "without keys, served as what they are and never run, and re-coded or cleaned before they "
        "leave; everything else is refused. No scanner is part of the service",
    ),
    Row(
        number="6.2",
        asks="passwords (all rows)",
        not_applicable="there are no passwords, only passkeys and single-use links",
    ),
    _by(
        "6.3.2",
        "there are no default accounts",
        "test_a_server_has_no_workspace_and_no_key_in_a_file_unless_asked_for",
        level=1,
    ),
    _by(
        "6.3.3",
        "two factors, or a mechanism of two: a passkey is one, and a workspace whose owner asks "
        "for passkeys shows nothing to a sign-in link alone (off until then: app.md)",
        "test_a_device_that_verified_nobody_or_was_asked_in_a_frame_is_refused",
        "test_a_link_alone_opens_no_page_and_carries_out_no_form",
        "test_whoever_found_a_link_adds_no_passkey_of_their_own",
    ),
    _by(
        "6.4.1",
        "what admits somebody the first time is random, single-use and expires soon",
        "test_a_link_works_once",
        "test_a_link_ends_after_15_minutes",
        "test_a_link_that_was_made_up_signs_nobody_in",
        level=1,
    ),
    Row(
        number="6.5.5",
        asks="a code that was sent ends within 10 minutes",
        not_applicable="nothing that signs somebody in is sent by the service: a sign-in link is "
        "handed over by a person who made it (6.4.1); what is e-mailed proves an address, and "
        "opens nothing",
    ),
    _by(
        "7.1.2",
        "it is documented how many browsers may be signed in at once: any number (app.md)",
        "test_a_members_sessions_are_listed_and_one_is_ended_from_another",
    ),
    _by(
        "7.2.4",
        "signing in creates a new session and ends the previous one; so does a new proof",
        "test_a_session_planted_before_signing_in_is_not_the_one_after",
        "test_a_proof_makes_the_session_anew_and_the_cookie_of_before_opens_nothing",
        level=1,
    ),
    _by(
        "7.4.3",
        "all other sessions can be ended when a passkey changes",
        "test_after_a_passkey_changed_all_other_browsers_can_be_signed_out",
        "test_all_other_sessions_end_at_once_and_are_told",
    ),
    _by(
        "7.5.1",
        "adding or removing a passkey and changing an address need a recent proof",
        "test_after_10_minutes_a_form_does_nothing_but_ask",
    ),
    _by(
        "7.5.2",
        "people see their sessions, and can end each of them after a recent proof",
        "test_a_members_sessions_are_listed_and_one_is_ended_from_another",
        "test_after_10_minutes_a_form_does_nothing_but_ask",
    ),
    Row(
        number="9",
        asks="tokens that carry their own rights (all rows)",
        not_applicable="there are none: keys, sessions and grants are looked up at each request",
    ),
    _by(
        "10.4.3",
        "an authorization code ends within 10 minutes",
        "test_a_code_is_good_for_a_minute",
        level=1,
    ),
    _by(
        "10.4.8",
        "an assistant's refresh tokens end at a fixed time, however often they are used",
        "test_a_grant_ends_after_a_year_however_often_it_is_renewed",
    ),
    _by(
        "11.1.1",
        "it is documented how each key is made, stored, renewed and ended (see above)",
        "test_every_file_that_uses_a_key_is_in_the_table_of_keys",
        "test_renewed_keys_wrap_from_now_on_and_the_old_ones_still_open",
    ),
    _by(
        "11.1.2",
        "every key and its purpose is listed (see above)",
        "test_every_file_that_uses_a_key_is_in_the_table_of_keys",
    ),
    Row(
        number="12",
        asks="TLS: versions, certificates, between all parts (all rows)",
        live="the proxy or AWS ends TLS; `doctor` looks at the certificate of the public address",
    ),
    _by(
        "15.1.1",
        "it is documented how soon vulnerable libraries are replaced (SECURITY.md)",
        "test_the_page_tells_how_soon_a_library_is_replaced",
        level=1,
    ),
    _by(
        "15.2.1",
        "no release contains a library with a known vulnerability",
        "test_a_package_with_an_advisory_is_named_with_it",
        level=1,
    ),
    Row(
        number="17",
        asks="WebRTC (all rows)",
        not_applicable="it is not used",
    ),
)
