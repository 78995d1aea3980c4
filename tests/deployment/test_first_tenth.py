"""A new release has a tenth of the calls first, and goes back by itself if it fails.

A stack of two functions is released in the emulated cloud, in the three changes of a stage. The
cloud does not know two things of AWS, which are played here by AWS's references. It takes no alarm
on a sum of metrics (CloudFormation reference, AWS::CloudWatch::Alarm): here each has its first
metric alone. And it passes over the alarms at which a change is taken back (CloudFormation API
reference, RollbackConfiguration): here somebody looks at the alarms that were named after the
change, and while one rings the stack returns to the template of before. moto and LocalStack know
neither.
"""

import io
import json
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import boto3
import click
import pytest

from infra.deploy import Plan, why_at_once
from infra.first_tenth import FirstTenth
from infra.releases import Releases
from infra.stack import UNWATCHED, ChangeSet, Import, Stack, StackError, Watch
from infra.template.functions import ALIAS
from infra.template.merging import Template
from infra.template.stage import Code, plain_template, written
from tests.deployment.cloud import Cloud, a_cloud
from tests.support.emulator import REGION

BUCKET = "packages"
FUNCTIONS = ("Work", "Tick")


@pytest.fixture(scope="module")
def cloud() -> Iterator[Cloud]:
    """Yield a cloud with the code of a function."""
    with a_cloud() as made:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as code:
            code.writestr("app.py", "def work(event, context): pass")
        boto3.client("s3").create_bucket(Bucket=BUCKET)
        boto3.client("s3").put_object(Bucket=BUCKET, Key="app.zip", Body=packed.getvalue())
        yield made


def _template() -> Template:
    """Return a stack in SAM's language: a function that a queue calls, and one that a rule does."""
    queue: Any = {"Queue": {"Fn::GetAtt": ["WorkQueue", "Arn"]}}
    events: dict[str, Any] = {
        "Work": {"Type": "SQS", "Properties": queue},
        "Tick": {"Type": "Schedule", "Properties": {"Schedule": "rate(5 minutes)"}},
    }
    functions: dict[str, Any] = {
        name: {
            "Type": "AWS::Serverless::Function",
            "Properties": {
                "Handler": "app.work",
                "Runtime": "python3.13",
                "CodeUri": "s3://packages/app.zip",
                "Role": "arn:aws:iam::000000000000:role/works",
                "Events": {"Calls": event},
            },
        }
        for name, event in events.items()
    }
    logs: dict[str, Any] = {
        f"{name}Log": {"Type": "AWS::Logs::LogGroup", "Properties": {}} for name in FUNCTIONS
    }
    return {
        "Parameters": {"ResourcePrefix": {"Type": "String", "Default": "two"}},
        "Resources": {
            "AlarmTopic": {"Type": "AWS::SNS::Topic", "Properties": {}},
            "WorkQueue": {"Type": "AWS::SQS::Queue", "Properties": {}},
            **logs,
            **functions,
        },
    }


def _known_to_the_cloud(text: str) -> str:
    """Return a template whose alarms on sums have the first metric alone."""
    template = json.loads(text)
    for resource in template["Resources"].values():
        if "Metrics" in resource["Properties"]:
            first = resource["Properties"].pop("Metrics")[0]["MetricStat"]
            period, statistic = first["Period"], first["Stat"]
            resource["Properties"] |= first["Metric"] | {"Period": period, "Statistic": statistic}
    return json.dumps(template)


def _keep(text: str) -> str:
    """Upload a template; return its address."""
    key = f"{hash(text)}.json"
    s3 = boto3.client("s3")
    s3.put_object(Bucket=BUCKET, Key=key, Body=_known_to_the_cloud(text).encode())
    return f"{s3.meta.endpoint_url}/{BUCKET}/{key}"


class WatchedStack(Stack):
    """A stack whose alarms are watched; `meanwhile` is what happens in the ten minutes."""

    def follow(self, meanwhile: Callable[[], None]) -> None:
        """Watch its alarms from now on."""
        self._meanwhile = meanwhile
        self._before: tuple[str, Mapping[str, str]] | None = None
        self._now: tuple[str, Mapping[str, str]] = ("", {})
        self._watch = Watch()
        self.watched: list[Watch] = []

    def propose(
        self,
        template_url: str,
        parameters: Mapping[str, str],
        imports: Sequence[Import] = (),
        *,
        watch: Watch = UNWATCHED,
    ) -> ChangeSet:
        self._before, self._now, self._watch = self._now, (template_url, parameters), watch
        self.watched.append(watch)
        return super().propose(template_url, parameters, imports, watch=watch)

    def execute(self, change_set: ChangeSet) -> None:
        super().execute(change_set)
        if self._watch.minutes:
            self._meanwhile()
            if self._rings():
                assert self._before is not None
                super().execute(super().propose(*self._before))
                raise StackError("The stack is UPDATE_ROLLBACK_COMPLETE. An alarm rings.")

    def _rings(self) -> bool:
        names = [arn.rpartition(":")[2] for arn in self._watch.alarms]
        found = boto3.client("cloudwatch").describe_alarms(AlarmNames=names)["MetricAlarms"]
        assert {one["AlarmArn"] for one in found} == set(self._watch.alarms)
        return any(one["StateValue"] == "ALARM" for one in found)


@dataclass
class Releasing:
    """A release that is under way, and how its calls were shared in its ten minutes."""

    cloud: Cloud
    release: str

    def __post_init__(self) -> None:
        aws = self.cloud.aws
        self.functions = aws.functions
        self.stack = WatchedStack(aws.formation, "two", poll_s=0.1)
        self.stack.follow(self._look)
        self.meanwhile: dict[str, tuple[str, dict[str, float]]] = {}
        self.told: list[str] = []
        self.before = self.shares()
        self.then: Callable[[], object] = lambda: None

    def run(self) -> None:
        """Release it as a stage is released."""
        code = Code(bucket=BUCKET, zip_key="app.zip", release=self.release)
        whole = _template()
        plain = plain_template(whole, code=code, region=REGION)
        url = _keep(written(plain))
        releases = Releases(functions=self.functions, stack=self.stack)
        change_set = self.stack.propose(url, {})
        self.stack.watched.clear()
        Plan(
            stack=self.stack,
            releases=releases,
            change_set=change_set,
            template=written(plain),
            template_url=url,
            values={},
            advice="",
            first=FirstTenth(
                stack=self.stack,
                releases=releases,
                keep=_keep,
                whole=whole,
                plain=plain,
                release=self.release,
            ),
            at_once="The first." if change_set.creates else None,
        ).execute(self.told.append)

    def shares(self) -> dict[str, tuple[str, dict[str, float]]]:
        """Return each function's version that runs, and what others have of its calls."""
        if self.stack.status() is None:
            return {}
        found: dict[str, tuple[str, dict[str, float]]] = {}
        for name, function in self.stack.named("AWS::Lambda::Function").items():
            alias = self.functions.get_alias(FunctionName=function, Name=ALIAS)
            weights = alias.get("RoutingConfig", {}).get("AdditionalVersionWeights", {})
            found[name] = (alias["FunctionVersion"], dict(weights))
        return found

    def ring(self) -> None:
        """Let an alarm of the release ring."""
        name = self.stack.watched[-1].alarms[0].rpartition(":")[2]
        boto3.client("cloudwatch").set_alarm_state(
            AlarmName=name, StateValue="ALARM", StateReason="played"
        )

    def _look(self) -> None:
        self.meanwhile = self.shares()
        self.then()


@pytest.fixture
def running(cloud: Cloud) -> Cloud:
    """Return the cloud with a release that has all calls."""
    if Stack(cloud.aws.formation, "two").status() is None:
        Releasing(cloud, "a0").run()
    return cloud


def test_a_release_has_a_tenth_of_the_calls_for_ten_minutes_and_then_all(running: Cloud) -> None:
    releasing = Releasing(running, "a1")

    releasing.run()

    after = releasing.shares()
    assert set(releasing.meanwhile) == set(FUNCTIONS)
    for name, (version, weights) in releasing.meanwhile.items():
        assert version == releasing.before[name][0] != after[name][0]
        assert weights == {after[name][0]: 0.1}
        assert after[name][1] == {}
    minutes = [watch.minutes for watch in releasing.stack.watched]
    assert minutes == [0, 10, 0], "no alarm takes back what comes after"
    assert len(releasing.stack.watched[1].alarms) == 3
    assert releasing.stack.named("AWS::CloudWatch::Alarm") == {}


def test_a_release_that_fails_in_its_ten_minutes_is_taken_back_by_itself(running: Cloud) -> None:
    releasing = Releasing(running, "b1")
    releasing.then = releasing.ring

    with pytest.raises(StackError, match="failed with a tenth of the calls, and was taken back"):
        releasing.run()

    assert all(weights for _, weights in releasing.meanwhile.values())
    assert releasing.shares() == releasing.before
    assert "All calls go to it now" not in " ".join(releasing.told)


def test_the_release_after_one_that_was_taken_back_gets_all_calls(running: Cloud) -> None:
    bad, mended = Releasing(running, "c1"), Releasing(running, "c2")
    bad.then = bad.ring
    with pytest.raises(StackError):
        bad.run()

    mended.run()

    assert all(version != bad.before[name][0] for name, (version, _) in mended.shares().items())
    assert mended.stack.named("AWS::CloudWatch::Alarm") == {}


def test_a_release_whose_functions_are_turned_meanwhile_goes_no_further(running: Cloud) -> None:
    releasing = Releasing(running, "d1")
    by_hand = Releases(functions=releasing.functions, stack=releasing.stack)
    releasing.then = by_hand.roll_back

    with pytest.raises(StackError, match="turned by hand meanwhile"):
        releasing.run()

    assert releasing.shares() == releasing.before


def test_a_release_that_was_interrupted_in_its_ten_minutes_begins_them_anew(
    running: Cloud,
) -> None:
    def leave() -> None:
        raise click.Abort

    interrupted, again = Releasing(running, "e1"), Releasing(running, "e1")
    interrupted.then = leave
    with pytest.raises(click.Abort):
        interrupted.run()
    assert all(weights for _, weights in interrupted.shares().values())

    again.run()

    for name, (version, weights) in again.meanwhile.items():
        assert version == interrupted.before[name][0]
        assert weights == {again.shares()[name][0]: 0.1}


def test_all_calls_go_at_once_where_a_tenth_could_do_harm_or_is_not_wanted() -> None:
    first, second = {"RowFormat": "1"}, {"RowFormat": "2"}

    assert "No release runs" in str(why_at_once({}, first, runs=False, is_asked=False))
    assert "would misread" in str(why_at_once(first, second, runs=True, is_asked=False))
    assert "as asked" in str(why_at_once(first, first, runs=True, is_asked=True))
    assert why_at_once(first, first, runs=True, is_asked=False) is None
