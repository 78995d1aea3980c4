"""One stage's CloudFormation stack: what would change, changing it, what it says of itself.

Nothing is ever changed but by a change set that was looked at first. A stack whose first creation
failed is cleared away before the next try, as CloudFormation demands.
"""

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from botocore.exceptions import ClientError

if TYPE_CHECKING:
    from mypy_boto3_cloudformation import CloudFormationClient
    from mypy_boto3_cloudformation.type_defs import (
        CreateChangeSetInputTypeDef,
        DescribeChangeSetOutputTypeDef,
        StackEventTypeDef,
    )

_UNMADE = ("REVIEW_IN_PROGRESS",)
_NEVER_WORKED = ("ROLLBACK_COMPLETE", "ROLLBACK_FAILED", "CREATE_FAILED", "DELETE_FAILED")
_GOOD = ("CREATE_COMPLETE", "UPDATE_COMPLETE", "IMPORT_COMPLETE")
_NOTHING = ("didn't contain changes", "No updates are to be performed")
_ALARM = "AWS::CloudWatch::Alarm"
_BEGINNINGS = (
    "CREATE_IN_PROGRESS",
    "UPDATE_IN_PROGRESS",
    "IMPORT_IN_PROGRESS",
    "DELETE_IN_PROGRESS",
)
_TAKEN_BACK = ("ROLLBACK_IN_PROGRESS", "UPDATE_ROLLBACK_IN_PROGRESS")
_POLL_S = 3.0
_LONGEST_S = 3600.0
HOLDS_DATA = (
    "AWS::DynamoDB::Table",
    "AWS::S3::Bucket",
    "AWS::KMS::Key",
)


class StackError(Exception):
    """CloudFormation could not do it; the message says what failed and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One resource that a change set would touch."""

    action: str
    name: str
    kind: str
    replaced: str

    @property
    def endangers_data(self) -> bool:
        """Tell whether rows, files or keys would be left behind or lost."""
        is_lost = self.action == "Remove" or self.replaced in ("True", "Conditional")
        return self.kind in HOLDS_DATA and is_lost


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeSet:
    """What would change; none at all if the stack is as the template says."""

    name: str
    creates: bool
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """Alarms at which CloudFormation takes a change back by itself, until so long after it."""

    alarms: Sequence[str] = ()
    minutes: int = 0


UNWATCHED: Final = Watch()


@dataclass(frozen=True, slots=True, kw_only=True)
class Import:
    """A resource that exists and becomes one of a stack: its name there, and what it is called."""

    kind: str
    name: str
    identifier: dict[str, str]


class Stack:
    """A stack by its name, or by its id if it was deleted."""

    def __init__(
        self, client: "CloudFormationClient", name: str, *, poll_s: float = _POLL_S
    ) -> None:
        self._client = client
        self._poll_s = poll_s
        self.name = name

    def status(self) -> str | None:
        """Return CloudFormation's word for how the stack is, or None if there is none."""
        try:
            return self._client.describe_stacks(StackName=self.name)["Stacks"][0]["StackStatus"]
        except ClientError as error:
            if "does not exist" in error.response["Error"]["Message"]:
                return None
            raise

    def outputs(self) -> dict[str, str]:
        """Return what the stack says of itself."""
        found = self._client.describe_stacks(StackName=self.name)["Stacks"][0]
        return {one["OutputKey"]: one["OutputValue"] for one in found.get("Outputs", [])}

    def values(self) -> dict[str, str]:
        """Return the parameters' values; none for a stack that is new or never worked."""
        if self.status() in (None, *_UNMADE, *_NEVER_WORKED):
            return {}
        found = self._client.describe_stacks(StackName=self.name)["Stacks"][0]
        given = found.get("Parameters", [])
        return {one["ParameterKey"]: one["ParameterValue"] for one in given}

    def physical_ids(self, kind: str) -> list[str]:
        """Return the names of the stack's resources of one type."""
        return list(self.named(kind).values())

    def named(self, kind: str) -> dict[str, str]:
        """Return the names of the stack's resources of one type, by those of the template."""
        pages = self._client.get_paginator("list_stack_resources").paginate(StackName=self.name)
        return {
            one["LogicalResourceId"]: one["PhysicalResourceId"]
            for page in pages
            for one in page["StackResourceSummaries"]
            if one["ResourceType"] == kind
        }

    def alarm_arns(self, names: Collection[str]) -> list[str]:
        """Return the ARNs of alarms that the template names so."""
        stack = self._client.describe_stacks(StackName=self.name)["Stacks"][0]["StackId"]
        partition, _, region, account = stack.split(":")[1:5]
        alarms = self.named(_ALARM)
        owner = f"arn:{partition}:cloudwatch:{region}:{account}:alarm"
        return [f"{owner}:{alarms[name]}" for name in names]

    def formers(self) -> "list[Stack]":
        """Return the stacks of this name that were deleted in the last 90 days, newest first."""
        pages = self._client.get_paginator("list_stacks").paginate(
            StackStatusFilter=["DELETE_COMPLETE"]
        )
        found = [one for page in pages for one in page["StackSummaries"]]
        named = [one for one in found if one["StackName"] == self.name]
        named.sort(key=lambda one: one["CreationTime"], reverse=True)
        return [Stack(self._client, one["StackId"]) for one in named]

    def left_behind(self, kind: str) -> list[str]:
        """Return the names of the resources of one type that the stack's deletion spared."""
        return [
            one["PhysicalResourceId"]
            for one in self._events()
            if one.get("ResourceType") == kind and one.get("ResourceStatus") == "DELETE_SKIPPED"
        ]

    def propose(
        self,
        template_url: str,
        parameters: Mapping[str, str],
        imports: Sequence[Import] = (),
        *,
        watch: Watch = UNWATCHED,
    ) -> ChangeSet:
        """Return what would change; imports are all that a change set with any may do.

        CloudFormation keeps a stack's alarms from one change to the next: none is said outright.
        """
        status = self.status()
        if status in _NEVER_WORKED:
            self.delete()
            status = None
        creates = status is None or status in _UNMADE
        name = f"deploy-{int(time.time() * 1000)}"
        asked: CreateChangeSetInputTypeDef = {
            "StackName": self.name,
            "ChangeSetName": name,
            "ChangeSetType": "CREATE" if creates else "UPDATE",
            "TemplateURL": template_url,
            "Parameters": [
                {"ParameterKey": name, "ParameterValue": value}
                for name, value in parameters.items()
            ],
            "Capabilities": ["CAPABILITY_IAM"],
            "RollbackConfiguration": {
                "RollbackTriggers": [{"Arn": arn, "Type": _ALARM} for arn in watch.alarms],
                "MonitoringTimeInMinutes": watch.minutes,
            },
        }
        if imports:
            asked["ChangeSetType"] = "IMPORT"
            asked["ResourcesToImport"] = [
                {
                    "ResourceType": one.kind,
                    "LogicalResourceId": one.name,
                    "ResourceIdentifier": one.identifier,
                }
                for one in imports
            ]
        self._client.create_change_set(**asked)
        return ChangeSet(name=name, creates=creates, changes=self._changes(name))

    def _changes(self, name: str) -> tuple[Change, ...]:
        found = self._described(name)
        if found["Status"] == "FAILED":
            reason = found.get("StatusReason", "")
            self.discard(name)
            if any(words in reason for words in _NOTHING):
                return ()
            raise StackError(reason)
        pages = self._client.get_paginator("describe_change_set").paginate(
            StackName=self.name, ChangeSetName=name
        )
        touched = [one["ResourceChange"] for page in pages for one in page["Changes"]]
        return tuple(
            Change(
                action=one["Action"],
                name=one["LogicalResourceId"],
                kind=one["ResourceType"],
                replaced=one.get("Replacement", "False"),
            )
            for one in touched
        )

    def _described(self, name: str) -> "DescribeChangeSetOutputTypeDef":
        deadline = time.monotonic() + _LONGEST_S
        while time.monotonic() < deadline:
            found = self._client.describe_change_set(StackName=self.name, ChangeSetName=name)
            if found["Status"] in ("CREATE_COMPLETE", "FAILED"):
                return found
            time.sleep(self._poll_s)
        raise StackError("The change set was not made within an hour.")

    def discard(self, name: str) -> None:
        """Drop a change set that is not wanted."""
        self._client.delete_change_set(StackName=self.name, ChangeSetName=name)

    def apply(
        self, template_url: str, parameters: Mapping[str, str], *, watch: Watch = UNWATCHED
    ) -> None:
        """Propose a change and make it, if there is any. Raises StackError."""
        change_set = self.propose(template_url, parameters, watch=watch)
        if change_set.changes:
            self.execute(change_set)

    def execute(self, change_set: ChangeSet) -> None:
        """Make the changes and wait for their end. Raises StackError."""
        self._client.execute_change_set(StackName=self.name, ChangeSetName=change_set.name)
        status = self._wait()
        if status not in _GOOD:
            raise StackError(f"The stack is {status}. {self._first_failure()}")
        self._client.update_termination_protection(
            StackName=self.name, EnableTerminationProtection=True
        )

    def delete(self) -> None:
        """Delete the stack; what it is told to retain stays. Raises StackError."""
        self._client.update_termination_protection(
            StackName=self.name, EnableTerminationProtection=False
        )
        self._client.delete_stack(StackName=self.name)
        status = self._wait()
        if status not in (None, "DELETE_COMPLETE"):
            raise StackError(f"The stack is {status}. {self._first_failure()}")

    def _wait(self) -> str | None:
        deadline = time.monotonic() + _LONGEST_S
        while time.monotonic() < deadline:
            status = self.status()
            if status is None or not status.endswith("IN_PROGRESS"):
                return status
            time.sleep(self._poll_s)
        raise StackError("The stack has not come to rest within an hour.")

    def _events(self) -> "list[StackEventTypeDef]":
        """Return what happened to the stack, the newest first."""
        pages = self._client.get_paginator("describe_stack_events").paginate(StackName=self.name)
        return [one for page in pages for one in page["StackEvents"]]

    def _first_failure(self) -> str:
        """Return what failed first in the change that ended now, or why it was taken back."""
        latest = list(self._latest())
        failed = [one for one in latest if one.get("ResourceStatus", "").endswith("FAILED")]
        taken_back = [one for one in latest if one.get("ResourceStatus") in _TAKEN_BACK]
        if not (failed or taken_back):
            return "Its events say why."
        first = (failed or taken_back)[-1]
        return f"{first['LogicalResourceId']}: {first.get('ResourceStatusReason', '')}"

    def _latest(self) -> "Iterator[StackEventTypeDef]":
        """Yield what happened since the latest change began, the newest first."""
        for one in self._events():
            yield one
            is_the_stack = one.get("PhysicalResourceId") == one["StackId"]
            if is_the_stack and one.get("ResourceStatus") in _BEGINNINGS:
                return
