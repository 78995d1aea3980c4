"""What is over goes away: rows, files by the bucket's rules, what nobody names."""

import time
from collections.abc import Iterator

import pytest

from chalicelib.kit.aws_on_sqlite.engine import Engine, open_engine
from chalicelib.kit.aws_on_sqlite.expiry import sweep
from chalicelib.kit.aws_on_sqlite.queues import EmbeddedSqs
from chalicelib.settings import Settings
from tests.support.clients import a_client
from tests.support.emulator import make_resources, start_embedded


@pytest.fixture
def settings() -> Iterator[Settings]:
    engine = start_embedded()
    yield make_resources(engine.endpoint, rows_expire=True)
    engine.stop()


@pytest.fixture
def engine(settings: Settings) -> Engine:
    return open_engine(settings.endpoint_url or "")


def test_rows_go_after_their_time_and_not_before(settings: Settings, engine: Engine) -> None:
    tables, now = a_client("dynamodb", settings.dynamodb_url), int(time.time())
    times = {"over": now - 5, "later": now + 500, "never": None}
    for pk, at in times.items():
        expiry = {} if at is None else {"expires_at": {"N": str(at)}}
        row = {"pk": {"S": pk}, "sk": {"S": "s"}, **expiry}
        tables.put_item(TableName=settings.posts_table, Item=row)

    sweep(engine)

    left = tables.scan(TableName=settings.posts_table)["Items"]
    assert {row["pk"]["S"] for row in left} == {"later", "never"}


def test_all_rows_that_are_over_go_in_one_sweep_however_many(
    settings: Settings, engine: Engine
) -> None:
    tables, now = a_client("dynamodb", settings.dynamodb_url), int(time.time())
    for number in range(401):
        row = {"pk": {"S": f"{number}"}, "sk": {"S": "s"}, "expires_at": {"N": str(now - 5)}}
        tables.put_item(TableName=settings.posts_table, Item=row)

    sweep(engine)

    assert tables.scan(TableName=settings.posts_table)["Items"] == []


def test_files_and_uploads_go_by_the_rules_of_the_bucket(
    settings: Settings, engine: Engine
) -> None:
    files, bucket = a_client("s3", settings.endpoint_url), settings.media_bucket
    for key in ("incoming/w/a", "prepared/w/a", "media/w/a"):
        files.put_object(Bucket=bucket, Key=key, Body=b"x")
    files.create_multipart_upload(Bucket=bucket, Key="media/w/b")
    with engine.writing() as connection:
        connection.execute("UPDATE object SET modified = modified - 3 * 86400")
        connection.execute("UPDATE upload SET begun = begun - 3 * 86400")

    sweep(engine)

    listed = files.list_objects_v2(Bucket=bucket)["Contents"]
    assert [one["Key"] for one in listed] == ["media/w/a", "prepared/w/a"]
    assert files.list_multipart_uploads(Bucket=bucket)["Uploads"] == []


def test_a_file_that_nothing_names_goes_when_it_is_old(engine: Engine) -> None:
    stray = engine.folder / "files" / "stray"
    stray.parent.mkdir(exist_ok=True)
    stray.write_bytes(b"x")
    sweep(engine)
    is_young_kept = stray.exists()

    real = stray.stat().st_ctime
    sweep(engine, lambda: real + 4_000)

    assert is_young_kept
    assert not stray.exists()


def test_a_message_that_a_wrong_clock_hid_for_hours_is_handed_out_after_a_sweep(
    settings: Settings, engine: Engine
) -> None:
    queues = a_client("sqs", settings.endpoint_url)
    url = queues.get_queue_url(QueueName=settings.convert_queue)["QueueUrl"]
    queues.send_message(QueueUrl=url, MessageBody="hidden")
    queues.send_message(QueueUrl=url, MessageBody="delayed", DelaySeconds=890)
    with engine.writing() as connection:
        text = "UPDATE message SET visible_at = visible_at + 43200 WHERE body = 'hidden'"
        connection.execute(text)

    sweep(engine)

    found = queues.receive_message(QueueUrl=url, MaxNumberOfMessages=10)["Messages"]
    assert [message["Body"] for message in found] == ["hidden"]


@pytest.mark.parametrize(("said_s", "longest_s"), [(5_400, 5_400), (30, 900)])
def test_what_a_wrong_clock_hid_for_longer_than_its_queue_may_is_shown(
    engine: Engine, said_s: int, longest_s: int
) -> None:
    queues = EmbeddedSqs(engine)
    attributes = {"VisibilityTimeout": str(said_s)}
    url = queues.create_queue(QueueName=f"hides-{said_s}", Attributes=attributes)["QueueUrl"]
    queues.send_message(QueueUrl=url, MessageBody="bread")
    queues.receive_message(QueueUrl=url, VisibilityTimeout=longest_s)

    def hidden_after_a_sweep(before_s: float) -> str:
        sweep(engine, lambda: time.time() - before_s)
        told = queues.get_queue_attributes(QueueUrl=url, AttributeNames=["All"])["Attributes"]
        return str(told["ApproximateNumberOfMessagesNotVisible"])

    assert hidden_after_a_sweep(0) == "1"
    assert hidden_after_a_sweep(60) == "0"
