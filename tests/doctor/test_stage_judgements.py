"""What the doctor makes of what AWS says of a stage's topic and its account's code."""

from typing import TYPE_CHECKING

import pytest

from chalicelib.doctor.alarm_checks import judge_listeners
from chalicelib.doctor.examination import Verdict
from chalicelib.doctor.stage_checks import judge_code

if TYPE_CHECKING:
    from mypy_boto3_sns.type_defs import SubscriptionTypeDef

TOPIC = "arn:aws:sns:eu-west-1:111122223333:goldenhour-prod-AlarmTopic-1"
CONFIRMED = f"{TOPIC}:8a21d249-4329-4871-acc6-7be709c6ea7f"


@pytest.mark.parametrize(
    ("listed", "verdict", "message"),
    [
        pytest.param([], Verdict.WARNING, "Nobody is told of an alarm.", id="nobody, or forgotten"),
        pytest.param([("Deleted", "ops@post.example")], Verdict.WARNING, "Nobody", id="gone"),
        pytest.param(
            [("PendingConfirmation", "ops@post.example"), (CONFIRMED, "pager@post.example")],
            Verdict.WARNING,
            "ops@post.example has not confirmed",
            id="one waits",
        ),
        pytest.param([(CONFIRMED, "ops@post.example")], Verdict.OK, "1 subscribed", id="confirmed"),
    ],
)
def test_alarms_that_reach_nobody_are_told(
    listed: list[tuple[str, str]], verdict: Verdict, message: str
) -> None:
    """SNS guide, "Subscription confirmation": unconfirmed ones are deleted after 48 hours.

    The words are those that ListSubscriptionsByTopic answers in an ARN's place.
    """
    subscriptions: list[SubscriptionTypeDef] = [
        {"SubscriptionArn": arn, "Endpoint": address} for arn, address in listed
    ]

    found = judge_listeners(TOPIC, subscriptions)

    assert (found.verdict, found.message[: len(message)]) == (verdict, message)
    assert found.advice is None if verdict is Verdict.OK else TOPIC in (found.advice or "")


@pytest.mark.parametrize(
    ("stored", "verdict"),
    [
        pytest.param(59_999_999_999, Verdict.OK, id="space for sixty releases"),
        pytest.param(60_000_000_000, Verdict.WARNING, id="four fifths"),
        pytest.param(75_000_000_000, Verdict.WARNING, id="full"),
    ],
)
def test_an_account_whose_code_leaves_no_space_for_releases_is_told(
    stored: int, verdict: Verdict
) -> None:
    """Lambda guide, "Lambda quotas": 75 GB of functions and layers; a release has some 250 MB."""
    assert judge_code(stored, 75_000_000_000).verdict is verdict
