"""Whether a deployed stage's alarms exist, which of them ring, and whether anybody is told.

Only `doctor --stage` checks this. An address that `AlarmEmail` names is told nothing before it has
confirmed AWS's mail, and SNS forgets it after 48 hours (its guide, "Subscription confirmation");
many a mail program's scanner opens the link to unsubscribe. CloudFormation sees nothing of either.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from chalicelib.doctor.examination import Finding, examine, fine, warning, wrong
from chalicelib.kit.dataclass import dataclass

if TYPE_CHECKING:
    from mypy_boto3_cloudwatch import CloudWatchClient
    from mypy_boto3_sns import SNSClient
    from mypy_boto3_sns.type_defs import SubscriptionTypeDef

_ALARMS_AT_ONCE = 100
_TOLD = "who is told of alarms"
_WAITING = "PendingConfirmation"
_BY_HAND = "`aws sns subscribe --protocol email --topic-arn {} --notification-endpoint ADDRESS`"


@dataclass(frozen=True, slots=True, kw_only=True)
class AlarmChecks:
    """The checks of a stage's alarms, by their names, and of the topics that they are told to."""

    cloudwatch: "CloudWatchClient"
    notifications: "SNSClient"
    alarms: Sequence[str]
    topics: Sequence[str]

    def run(self) -> Iterator[Finding]:
        """Check that none is missing or rings, and that each topic has somebody who listens."""
        for start in range(0, len(self.alarms), _ALARMS_AT_ONCE):
            yield from self._alarms(self.alarms[start : start + _ALARMS_AT_ONCE])
        for topic in self.topics:
            yield examine(_TOLD, partial(self._listeners, topic))

    def _listeners(self, topic: str) -> Finding:
        pages = self.notifications.get_paginator("list_subscriptions_by_topic")
        found = [one for page in pages.paginate(TopicArn=topic) for one in page["Subscriptions"]]
        return judge_listeners(topic, found)

    def _alarms(self, names: Sequence[str]) -> Iterator[Finding]:
        found = self.cloudwatch.describe_alarms(
            AlarmNames=names,
            MaxRecords=_ALARMS_AT_ONCE,  # else fifty are answered
        )["MetricAlarms"]
        for missing in sorted(set(names) - {one["AlarmName"] for one in found}):
            yield wrong(f"alarm {missing}", "It is missing.", "Deploy again: `make deploy`.")
        for one in found:
            if one.get("StateValue") == "ALARM":
                told = one.get("AlarmDescription", "")
                yield warning(f"alarm {one['AlarmName']}", "It rings.", told)


def judge_listeners(topic: str, subscriptions: "Iterable[SubscriptionTypeDef]") -> Finding:
    """Return whether whoever subscribed to a topic is told, as SNS lists them."""
    by_state: dict[str, list[str]] = {}
    for one in subscriptions:
        by_state.setdefault(one["SubscriptionArn"], []).append(one["Endpoint"])
    waiting = by_state.pop(_WAITING, [])
    told = [name for arn, names in by_state.items() if arn.startswith("arn:") for name in names]
    if waiting:
        return warning(
            _TOLD,
            f"{', '.join(waiting)} has not confirmed, and is told nothing.",
            "Open the link in AWS's mail within 48 hours. After that, subscribe anew: "
            f"{_BY_HAND.format(topic)}",
        )
    if not told:
        return warning(
            _TOLD,
            "Nobody is told of an alarm.",
            'Deploy with SET="AlarmEmail=…" and open the link in AWS\'s mail; if it was set, '
            f"its subscription is gone: {_BY_HAND.format(topic)}",
        )
    return fine(_TOLD, f"{len(told)} subscribed")
