"""What a newer template says of queues and buckets reaches a directory that is there."""

import json
from pathlib import Path
from typing import Any

from chalicelib.kit.aws_on_sqlite.engine import Engine
from chalicelib.kit.aws_on_sqlite.objects import EmbeddedS3
from chalicelib.kit.aws_on_sqlite.queues import EmbeddedSqs
from chalicelib.kit.aws_on_sqlite.resources import Template, make_missing, make_resources

NAMES = {"Jobs": "jobs", "Dead": "dead", "Media": "media"}


def a_template(visibility_s: int, most: int, days: int, prefix: str) -> Template:
    policy = {"deadLetterTargetArn": {"Fn::GetAtt": ["Dead", "Arn"]}, "maxReceiveCount": most}
    told: Any = {
        "Queue": {"Fn::GetAtt": ["Jobs", "Arn"]},
        "Filter": {"S3Key": {"Rules": [{"Name": "prefix", "Value": prefix}]}},
    }
    queue: Any = {
        "QueueName": {"Ref": "Jobs"},
        "VisibilityTimeout": visibility_s,
        "RedrivePolicy": policy,
    }
    bucket = {
        "BucketName": {"Ref": "Media"},
        "NotificationConfiguration": {"QueueConfigurations": [told]},
        "LifecycleConfiguration": {"Rules": [{"Prefix": prefix, "ExpirationInDays": days}]},
    }
    resources = {
        "Jobs": {"Type": "AWS::SQS::Queue", "Properties": queue},
        "Dead": {"Type": "AWS::SQS::Queue", "Properties": {"QueueName": {"Ref": "Dead"}}},
        "Bucket": {"Type": "AWS::S3::Bucket", "Properties": bucket},
    }
    return Template(json.dumps({"Resources": resources}), NAMES)


OLD, NEW = a_template(30, 5, 1, "incoming/"), a_template(90, 2, 7, "uploads/")


def made(engine: Engine, kind: str, name: str) -> Any:  # noqa: ANN401 - JSON
    found = engine.find_made(kind, name)
    assert found is not None
    return found[1]


def test_queues_and_buckets_become_as_a_newer_template_says(tmp_path: Path) -> None:
    engine = Engine(tmp_path / "engine")
    make_resources(engine, OLD)
    number = engine.find_made("queue", "jobs")
    EmbeddedSqs(engine).send_message(QueueUrl="embedded://queues/jobs", MessageBody="kept")

    make_resources(engine, NEW)

    queues, files = EmbeddedSqs(engine), EmbeddedS3(engine)
    url = "embedded://queues/jobs"
    said = queues.get_queue_attributes(QueueUrl=url, AttributeNames=["All"])["Attributes"]
    assert said["VisibilityTimeout"] == "90"
    assert json.loads(said["RedrivePolicy"])["maxReceiveCount"] == 2
    assert made(engine, "bucket", "media")["Lifecycle"][0]["ExpirationInDays"] == 7
    files.put_object(Bucket="media", Key="uploads/w/a", Body=b"x")
    found = queues.receive_message(QueueUrl=url, MaxNumberOfMessages=10)["Messages"]
    assert [one["Body"] == "kept" for one in found] == [True, False]
    assert number is not None
    assert engine.find_made("queue", "jobs") == (number[0], made(engine, "queue", "jobs"))
    engine.close()


def test_a_command_beside_a_running_stack_changes_nothing(tmp_path: Path) -> None:
    engine = Engine(tmp_path / "engine")
    make_resources(engine, OLD)
    before = made(engine, "queue", "jobs"), made(engine, "bucket", "media")

    make_missing(engine, NEW)

    assert (made(engine, "queue", "jobs"), made(engine, "bucket", "media")) == before
    engine.close()
