"""Lambda ends a chain of messages after 16 functions unless each that goes round allows it.

Lambda guide, "Use Lambda recursive loop detection to prevent infinite loops": a function that SQS
or S3 woke for the 16th time in one chain of requests is not woken again, unless its `RecursiveLoop`
is `Allow`; the metric `RecursiveInvocationsDropped` counts what is stopped. boto/boto3#3899 is what
somebody met. Ours do go round: whoever waits for a platform, a copy or a place sends to itself.
"""

import ast
import json
from copy import deepcopy
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import Mock

import pytest

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.settings import Settings
from chalicelib.storage.engine.wake_queue import PublishQueue
from chalicelib.storage.media.queues import ConvertQueue
from chalicelib.workers.chains import MAY_WAKE_THEMSELVES
from infra.packaging.libraries import PROJECT
from infra.packaging.runtime import NAME
from infra.template.merging import Template
from infra.template.stage import resources_of
from tests.deployment.templates.chains import (
    CALLING_ACTIONS,
    allowed_by_role,
    allows,
    going_round,
    sent_by_code,
    statements_of,
)
from tests.deployment.templates.reading import FUNCTIONS, properties, reader
from tests.support.emulator import REGION

ROUND = {"Publish", "Prepare", "Retry", "Convert", "FinishUploads"}
SENDING = {"send_message", "send_message_batch"}


def _may_go_round(template: Template) -> set[str]:
    functions = properties(template, FUNCTIONS)
    return {name for name, one in functions.items() if one.get("RecursiveLoop") == "Allow"}


@pytest.mark.costly
def test_whoever_may_send_to_a_queue_that_leads_back_to_it_is_allowed_to(
    template: Template,
) -> None:
    assert going_round(allowed_by_role(template)) == ROUND
    assert _may_go_round(template) == ROUND
    assert len(MAY_WAKE_THEMSELVES) == len(ROUND)


def test_whoever_sends_by_code_to_a_queue_that_leads_back_to_it_is_allowed_to(
    template: Template,
) -> None:
    settings = Settings.from_environment({"AWS_DEFAULT_REGION": REGION})
    by_code = sent_by_code(Deployment(settings))

    assert set(by_code) == {
        reader(one) for one in properties(template, "AWS::Lambda::EventSourceMapping").values()
    }
    assert going_round(by_code) <= _may_go_round(template)
    assert going_round(by_code) == ROUND


def test_no_role_has_a_way_to_another_function_that_is_not_looked_at(template: Template) -> None:
    ways = {
        (name, action)
        for name, function in properties(template, FUNCTIONS).items()
        for statement in statements_of(template, function)
        for action in CALLING_ACTIONS
        if allows(statement, action)
    }

    assert ways == set()


def test_nothing_sends_to_a_queue_but_what_the_wiring_makes() -> None:
    """Otherwise a chain could be read in neither the roles nor the wiring."""
    senders, makers = set(), set()
    for file in (PROJECT / "chalicelib").rglob("*.py"):
        source = file.read_text(encoding="utf-8")
        if "send_message" not in source and "sqs" not in source:  # to parse all takes seconds
            continue
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Attribute) and node.attr in SENDING:
                senders.add(file.relative_to(PROJECT / "chalicelib").as_posix())
            if isinstance(node, ast.Attribute) and node.attr in ("sqs", "polling_sqs"):
                makers.add(file.relative_to(PROJECT / "chalicelib").parts[0])

    senders.remove("connectors/shared/mail.py")  # smtplib's name for another thing
    assert senders == {"storage/engine/wake_queue.py", "storage/media/queues.py"}
    # The local stack polls, and doctor looks: neither runs in a function.
    assert makers == {"bootstrap", "local", "doctor"}


def test_one_alarm_hears_of_messages_that_were_stopped_whichever_function_they_were_for(
    template: Template,
) -> None:
    """Without dimensions a metric of Lambda's is that of all functions of account and region."""
    (heard,) = [
        alarm
        for alarm in properties(template, "AWS::CloudWatch::Alarm").values()
        if (alarm["Namespace"], alarm["MetricName"])
        == ("AWS/Lambda", "RecursiveInvocationsDropped")
    ]

    assert ("Sum", 0) == (heard["Statistic"], heard["Threshold"])
    assert "Dimensions" not in heard


@pytest.mark.deploy
def test_cloudformation_knows_the_property_and_its_two_values() -> None:
    """cfn-lint brings CloudFormation's own resource schemas.

    `test_template` holds the whole template against them; a function alone takes a tenth of that.
    """
    from cfnlint import lint  # noqa: PLC0415 - its import takes a second

    function: dict[str, Any] = {
        "Code": {"S3Bucket": "artifacts", "S3Key": "code.zip"},
        "Role": "arn:aws:iam::000000000000:role/publish",
        "Handler": "app.publish",
        "Runtime": NAME,
    }

    def found_in(**more: str) -> list[str]:
        publish = {"Type": "AWS::Lambda::Function", "Properties": {**function, **more}}
        alone = {"AWSTemplateFormatVersion": "2010-09-09", "Resources": {"Publish": publish}}
        return [one.message for one in lint(json.dumps(alone), regions=[REGION])]

    assert found_in(RecursiveLoop="Allow") == []
    (found,) = found_in(RecursiveLoop="Permit")
    assert "'Permit' is not one of ['Allow', 'Terminate']" in found


def test_a_new_right_that_leads_back_is_found(template: Template) -> None:
    wrong = deepcopy(template)
    statement = {
        "Effect": "Allow",
        "Action": "sqs:*",
        "Resource": {"Fn::GetAtt": ["PublishQueue", "Arn"]},
    }
    _role(wrong, "Convert")["Statement"].append(statement)
    _role(wrong, "Publish")["Statement"].append({**statement, "Resource": "*"})
    for name in ("Prepare", "Retry"):
        _role(wrong, name)["Statement"] = []

    edges = allowed_by_role(wrong)

    assert edges["Convert"] == {"Convert", "Publish"}
    assert edges["Publish"] == ROUND
    assert edges["Prepare"] == set()
    assert going_round(edges) == {"Convert", "FinishUploads", "Publish"}


def test_a_right_to_write_files_that_a_queue_is_told_of_is_found(template: Template) -> None:
    wrong = deepcopy(template)
    everywhere = {
        "Effect": "Allow",
        "Action": ["s3:PutObject"],
        "Resource": {"Fn::Sub": "${MediaBucket.Arn}/*"},
    }
    for name in ("FinishUploads", "Convert"):
        _role(wrong, name)["Statement"] = []
    assert "FinishUploads" not in allowed_by_role(wrong)["FinishUploads"]

    _role(wrong, "FinishUploads")["Statement"] = [everywhere]

    assert "FinishUploads" in going_round(allowed_by_role(wrong))


def test_a_new_sender_in_the_code_is_found(tmp_path: Path) -> None:
    app_file = tmp_path / "app.py"
    app_file.write_text(
        "@app.on_sqs_message(queue=SETTINGS.publish_queue)\n"
        "def publish(event):\n    deployment().worker.run(event)\n"
        "@app.on_sqs_message(queue=SETTINGS.convert_queue)\n"
        "def finish_copies(event):\n    work = deployment().other_worker.run\n"
    )
    settings = Settings.from_environment({"AWS_DEFAULT_REGION": REGION})
    queue = ConvertQueue(Mock(), settings.convert_queue)

    def wired(**held: object) -> Deployment:
        worker = partial(print, {"files": [queue]})
        wakes = SimpleNamespace(run=worker), SimpleNamespace(run=partial(print, **held))
        made = SimpleNamespace(settings=settings, worker=wakes[0], other_worker=wakes[1])
        return cast("Deployment", made)

    once = sent_by_code(wired(), app_file)
    other = PublishQueue(Mock(), settings.publish_queue, settings.publish_dead_queue)
    round_and_round = sent_by_code(wired(seldom=lambda: other), app_file)

    assert once == {"Publish": {"FinishCopies"}, "FinishCopies": set()}
    assert going_round(once) == set()
    assert going_round(round_and_round) == {"Publish", "FinishCopies"}


def test_a_part_that_holds_a_whole_group_is_refused(tmp_path: Path) -> None:
    """Whatever it sends, it could send to any queue."""
    settings = Settings.from_environment({"AWS_DEFAULT_REGION": REGION})
    deployment = Deployment(settings)
    stores = deployment.stores
    deployment.engine.publish_worker = cast("Any", SimpleNamespace(run=lambda: stores))
    app_file = tmp_path / "app.py"
    app_file.write_text(
        "@app.on_sqs_message(queue=SETTINGS.publish_queue)\n"
        "def publish(event):\n    deployment().engine.publish_worker.run(event)\n"
    )

    with pytest.raises(AssertionError, match="Stores"):
        sent_by_code(deployment, app_file)


def _role(template: Template, function: str) -> dict[str, Any]:
    role: Any = resources_of(template)[f"{function}Role"]["Properties"]
    document: dict[str, Any] = role["Policies"][0]["PolicyDocument"]
    return document
