"""What is promised to callers beyond the specification, sentence by sentence, and what holds each.

The rows of the table of docs/callers.md. Each names the tests of the API, its description, the
Python client, the command and the assistants' server that would fail without it.
"""

from typing import Final

from tests.repository.docs.promise_rows import rows

CALLERS: Final = rows(
    "C",
    (
        "list parameters take commas and repeats alike",
        "a_list_takes_commas_and_repeats_alike",
        "every_list_does_so",
        "a_wrong_value_among_repeats_is_refused_at_its_place",
        "repeated_query_parameters_arrive_in_both_worlds",
    ),
    (
        "another parameter that is given twice is refused, at the second",
        "any_other_parameter_is_given_once",
        "a_parameter_that_is_no_list_is_given_once",
    ),
    (
        "JSON that names a key twice is refused, at the second, and nothing is made",
        "a_key_that_comes_twice_is_refused_and_nothing_is_made",
        "an_edit_and_a_time_are_no_exception",
        "a_repeat_at_any_depth_is_found_at_its_place",
    ),
    (
        "an unknown parameter of an upload is refused before the file is read",
        "an_unknown_parameter_is_refused_before_the_body_is_read",
    ),
    (
        "`GET /v1/me` tells whose key it is and what is left, and needs no scope",
        "a_key_learns_who_it_is_and_what_is_left",
        "the_scopes_are_those_that_key_and_role_both_allow",
        "me_shows_whose_key_it_is_and_what_is_left",
        "an_assistant_is_told_whose_key_it_has_and_what_is_left",
    ),
    (
        "posts are listed by platform, by account, and by their earliest time",
        "a_post_with_a_target_there_is_found_by_platform_and_by_account",
        "a_list_by_time_has_each_post_once_at_its_earliest",
        "a_cursor_of_the_other_order_is_refused",
        "a_list_is_of_platforms_and_accounts_and_by_time",
        "posts_are_found_by_platform_and_account_and_by_time",
    ),
    (
        "files beyond the first 200 are on further pages",
        "every_file_is_on_one_of_the_pages",
        "pages_are_followed_by_their_query_and_never_to_another_address",
    ),
    (
        "a GET whose answer the caller has already gets 304 and no body",
        "nothing_is_sent_of_what_the_reader_has",
        "what_has_changed_is_sent",
        "a_page_that_another_one_follows_now_is_sent_again",
        "what_has_not_changed_is_not_sent_again",
    ),
    (
        "a call that makes a file, an upload, a copy or a queue time makes it once for a key",
        "a_repeated_call_answers_what_the_first_one_made",
        "another_body_with_the_same_key_is_told",
        "ten_calls_at_once_leave_one_thing",
        "a_post_is_duplicated_once_for_a_key",
        "a_repeated_upload_answers_what_the_first_one_made",
        "a_key_that_made_something_else_is_an_error_and_not_the_earlier_thing",
        "the_command_repeated_with_its_key_and_file_makes_one_post",
    ),
    (
        "its key is free again after 24 hours",
        "a_key_is_free_again_after_a_day",
    ),
    (
        "every refusal links to the section of its code, which is there",
        "a_refusal_leads_to_what_its_code_means",
        "a_refusal_names_a_section_that_is_there",
    ),
    (
        "each code of the API and of a target has a section that says what to do",
        "every_code_has_one_section_that_says_what_to_do",
        "every_code_has_a_class_of_its_own",
    ),
    (
        "`/v1/docs/` leads to `/v1/docs`",
        "the_page_is_reached_with_a_slash_behind_it",
    ),
    (
        "`GET /v1/ready` needs no key, and is 200 only while posts are sent",
        "a_service_that_sends_nothing_is_not_ready",
        "the_service_is_ready_once_something_wakes_what_is_due",
        "every_endpoint_asks_for_a_key_as_the_table_says",
    ),
    (
        "a workspace beyond its fair share is told how long to wait, where that is switched on",
        "a_workspace_beyond_its_share_is_told_how_long_to_wait",
        "nobody_counts_unless_it_is_switched_on",
    ),
    (
        "the Python client has every operation, with all that it takes and answers",
        "the_client_has_every_operation_and_no_other",
        "a_call_sends_all_that_its_operation_takes",
        "every_field_of_an_answer_is_read",
    ),
)
PARTS: Final = {"callers": CALLERS}
"""The tables of the page, by the name of their place."""
