"""What is promised about rights, people and data, and the tests of each promise.

The rows of two more tables of docs/security-model.md. A finding was a defect once; its test keeps
it from coming back.
"""

from typing import Final

from tests.repository.docs.security_rows import API_TOP_10, OTHERS, V8, V14, V16, Row


def rows(letter: str, *told: tuple[str, ...]) -> tuple[Row, ...]:
    """Return rows, numbered, of sentences and the tests that hold each."""
    return tuple(
        Row(number=f"{letter}{number}", asks=asks, tests=tuple(f"test_{one}" for one in tests))
        for number, (asks, *tests) in enumerate(told, 1)
    )


PROMISES: Final = rows(
    "P",
    (
        "a change of what goes out or when needs `post.publish` of key and role",
        "what_is_scheduled_changes_by_key_and_role_together",
        "every_key_changes_what_is_scheduled_by_key_and_role_together",
    ),
    (
        "without it, the request is refused, after a 404 for a missing post, and changes nothing",
        "a_post_that_is_not_there_is_told_before_a_missing_right",
        "a_stale_edit_is_told_before_a_missing_right_and_a_conflict_after_it",
    ),
    (
        "with approvals, such a change makes the post wait, whosever key it is",
        "an_owners_draft_only_key_makes_nothing_public_where_posts_are_approved",
        "approvals_count_as_the_workspace_has_them_now",
    ),
    (
        "the app, the calendar, the assistant server and the command follow the same rule",
        "a_form_changes_what_is_scheduled_by_the_role",
        "a_form_is_refused_by_the_role_and_by_nothing_else",
        "the_command_edits_what_key_and_role_allow",
        "an_assistant_edits_and_moves_what_key_and_role_allow",
    ),
    (
        "a deleted post has no texts left; what prevents sending it twice stays",
        "no_table_has_a_word_of_a_deleted_post",
        "what_never_twice_needs_stays",
        "what_is_under_way_keeps_its_words_until_it_ends",
        "a_deletion_that_breaks_off_anywhere_ends_by_itself",
    ),
    (
        "a deleted workspace leaves only a tombstone, and other workspaces keep everything",
        "nothing_of_it_is_left",
        "a_neighbour_keeps_everything",
        "it_ends_by_itself_and_leaves_a_tombstone",
        "none_of_a_thousand_goes_out_after_the_answer",
    ),
    (
        "deleting a workspace shows its progress, and continues after an interruption at any step",
        "the_steps_are_those_that_are_told",
        "a_deletion_that_is_killed_anywhere_goes_on_by_itself",
        "a_kill_in_the_middle_goes_on_and_nothing_goes_out_meanwhile",
    ),
    (
        "an export has everything except secrets, in parts, on one machine and of a stage",
        "what_is_read_back_is_all_there_is",
        "no_secret_and_nobody_else_is_in_it",
        "no_part_is_larger_than_its_bound",
        "a_workspace_is_exported_with_its_progress_and_once",
    ),
    (
        "an interrupted export continues",
        "one_that_is_killed_anywhere_goes_on",
        "one_that_is_cut_off_anywhere_goes_on",
    ),
    (
        "owners, and only they, can ask for an export in the app; it is kept for 7 days",
        "an_export_is_asked_for_made_and_downloaded",
        "who_asked_for_an_export_is_told_once_that_it_is_ready",
        "nobody_but_an_owner_sees_or_gets_it",
        "it_goes_after_7_days",
    ),
    (
        "an erased member's name and addresses are in no history and no activity",
        "no_row_has_the_name_any_more",
        "what_was_done_is_told_without_her",
        "a_member_is_erased_when_that_is_said",
        "one_that_is_interrupted_anywhere_is_run_again",
    ),
    (
        "one list of all kinds of rows says to whom each belongs and when it is deleted",
        "each_key_is_of_one_kind",
        "a_kind_without_a_line_is_noticed",
        "each_kind_is_one_that_the_code_writes",
        "everything_comes_along_and_goes_out_there",
    ),
    (
        "the page on personal data says what backups keep",
        "its_table_is_as_the_code_says",
        "its_times_are_those_of_the_code",
    ),
    (
        "activity shows who signed in, was refused and signed out",
        "a_sign_in_is_told_with_the_member_and_the_address",
        "a_link_that_was_used_up_is_told_as_refused_once_a_minute",
        "all_other_sessions_end_at_once_and_are_told",
        "passkeys_are_told_added_used_refused_and_removed",
    ),
    (
        "activity shows what happened to keys, also those of assistants",
        "keys_are_told_created_first_used_refused_and_revoked",
        "a_key_is_made_with_a_last_day_and_replaced_with_an_overlap",
        "the_key_of_an_assistant_is_told_by_whom_it_was_allowed_and_ended",
        "a_grant_that_ends_for_a_theft_is_told_with_where_it_was_tried",
    ),
    (
        "activity shows changes of members, accounts, plan, settings, reviews, and exports",
        "members_are_told_added_invited_changed_and_removed",
        "accounts_are_told_invited_connected_and_disconnected",
        "plan_and_settings_are_told_by_whom",
        "a_post_that_is_approved_by_a_link_is_told",
        "who_asked_and_who_downloaded_stands_in_the_activity",
    ),
    (
        "activity is kept for 400 days, for owners and admins of that workspace",
        "rows_end_after_400_days",
        "owners_and_admins_alone_see_it",
        "another_workspaces_activity_is_not_shown",
    ),
    (
        "each request's log line says from where it came, and from whom if that is known",
        "a_day_is_told_from_the_log_alone",
        "the_first_trusted_proxy_is_believed",
    ),
    (
        "one person can join many workspaces by invitation, and switch between them",
        "who_is_signed_in_joins_by_an_invitation_and_switches",
        "a_link_opens_its_own_workspace_alone_and_a_passkey_all",
        "a_session_of_before_goes_on_and_its_cookie_stays",
    ),
    (
        "two persons are never merged, and an invitation is useless to somebody else",
        "two_persons_are_never_joined_by_one_address",
        "an_invitation_that_somebody_took_signs_in_nobody_else",
        "a_link_of_somebody_else_joins_nobody",
        "of_many_who_join_by_one_link_at_once_one_does",
    ),
    (
        "a link or form of one workspace never acts in another",
        "every_form_of_one_workspace_does_nothing_once_the_browser_shows_another",
        "links_of_one_workspace_are_not_found_in_the_other",
        "a_form_of_one_workspace_never_deletes_or_exports_another",
    ),
    (
        "opening a workspace to others, exporting and deleting it need a recent proof",
        "a_form_that_opens_the_workspace_asks_who_is_there_after_10_minutes",
        "after_10_minutes_a_form_does_nothing_but_ask",
        "after_10_minutes_it_is_asked_who_is_there_before_the_last_step",
    ),
    (
        "an address gets only a question until its link was opened",
        "nothing_but_the_question_goes_to_an_address_before_its_link_is_opened",
        "the_button_of_the_link_proves_the_address_once",
    ),
    (
        "the member is notified of a new passkey or key, and of a sign-in from a new place",
        "a_new_passkey_key_and_sign_in_from_a_new_place_are_told_once",
        "what_the_mail_server_does_not_take_is_told_later",
    ),
    (
        "keys can have a last day and be replaced with an overlap, by a command or in the app",
        "a_key_works_through_its_last_day",
        "a_key_with_an_end_works_until_then_and_no_longer",
        "a_replaced_key_works_through_the_overlap_and_the_new_one_from_the_first",
        "owners_replace_keys_and_give_them_a_last_day_in_the_app",
    ),
    (
        "what an assistant publishes is fetched for members who just proved who they are, alone",
        "nobody_has_it_fetched_who_is_not_signed_in",
        "a_page_of_another_site_has_it_fetched_only_by_who_just_proved_who_they_are",
        "no_address_inside_is_looked_up_and_all_are_refused_alike",
        "a_document_that_changes_before_the_press_gets_no_answer",
    ),
)
FINDINGS: Final = rows(
    "F",
    (
        "nothing recorded who signed in, and from where",
        "a_day_is_told_from_the_log_alone",
        "a_sign_in_is_told_with_the_member_and_the_address",
    ),
    (
        "strangers could write rows by asking for passkeys, and slow others down",
        "two_thousand_strangers_write_no_row_and_are_in_nobodys_way",
        "strangers_who_ask_and_answer_wrongly_write_nothing",
    ),
    (
        "any member could make the server send mail to a stranger",
        "nothing_but_the_question_goes_to_an_address_before_its_link_is_opened",
        "one_question_an_hour_goes_out_whatever_is_typed",
    ),
    (
        "tokens could be issued for another server",
        "tokens_for_another_server_are_refused_and_use_nothing_up",
        "a_second_resource_in_a_request_for_tokens_is_refused",
    ),
    (
        "an assistant on the same machine could not use a redirect address with its own port",
        "an_assistant_may_be_answered_there",
        "ports_differ_on_the_loopback_address_alone",
        "a_program_on_the_machine_gets_tokens",
    ),
    (
        "programs in web pages could not register or fetch tokens",
        "programs_in_web_pages_may_ask_and_read",
        "no_page_of_a_person_is_read_from_another_origin",
    ),
    (
        "over https, a sibling host could set the session's cookie",
        "by_https_the_cookie_is_this_hosts_alone",
    ),
    (
        "renewing the tokens' key on one server was neither documented nor tried",
        "renewed_keys_wrap_from_now_on_and_the_old_ones_still_open",
    ),
    (
        "passkeys did not work at the address that `make run` printed",
        "on_one_machine_the_app_is_opened_where_passkeys_work",
    ),
    (
        "packages counted as free of advisories when the source could not be reached",
        "what_is_not_known_is_told_as_unknown_and_fails_where_it_must_be_known",
    ),
    (
        "a cookie copied before a proof stayed valid after it",
        "a_proof_makes_the_session_anew_and_the_cookie_of_before_opens_nothing",
    ),
    (
        "strangers slowed others tenfold with health checks, made-up keys, sessions or files",
        "whatever_is_made_up_waits_in_the_crowd_at_every_door",
        "a_caller_beside_a_crowd_is_answered_within_twice",
    ),
    (
        "sign-in and connect links stayed valid after their maker lost the permission",
        "a_link_signs_nobody_in_once_its_maker_may_not_make_it",
        "a_link_connects_nothing_once_its_maker_may_not",
    ),
    (
        "an admin who replaced an owner's key got a key that acts as the owner",
        "an_admin_gets_no_new_key_that_acts_as_an_owner",
    ),
    (
        "an assistant's code that was used twice at the same time did not end the grant",
        "a_code_that_comes_again_before_its_key_is_kept_opens_nothing",
    ),
    (
        "an assistant's long host name was shown without the end that says whose it is",
        "a_long_host_is_named_by_its_end_which_says_whose_it_is",
    ),
    (
        "an assistant's request was shown before the passkey that the workspace requires",
        "an_assistants_request_waits_for_the_passkey_and_goes_on_with_it",
    ),
    (
        "an answer of an account server, 100 KB of white space, stopped what sends for minutes",
        "no_refusal_takes_long_to_be_read",
        "no_text_on_linkedin_takes_long_to_be_read_back",
    ),
    (
        "an uploaded sheet of 1 KB stopped the service for seconds, one of 40 KB for hours",
        "no_form_of_numbers_takes_long_to_be_read",
        "a_columns_endless_name_takes_little_room",
    ),
)
PARTS: Final = {
    "V8": V8,
    "V14": V14,
    "V16": V16,
    "API": API_TOP_10,
    "others": OTHERS,
    "promises": PROMISES,
    "findings": FINDINGS,
}
"""Every table of the page, by the name of its place."""
