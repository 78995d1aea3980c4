"""A first deployment that fails leaves nothing behind that the next one trips over."""

from dataclasses import replace

import boto3
import pytest

from chalicelib.storage.tables import ROW_FORMAT
from infra.packaging.package import Package
from infra.parameters import (
    PROTECTED,
    ParameterError,
    Place,
    advice_on_places,
    choose,
    release_name,
)
from infra.stack import StackError
from infra.template.merging import Json, merge
from tests.deployment.cloud import a_cloud
from tests.deployment.stage import propose

ACCOUNT = "123456789012"


@pytest.mark.deploy
def test_a_failed_first_deployment_does_not_stand_in_the_way_of_the_next(packaged: Package) -> None:
    with a_cloud() as cloud:
        tables = boto3.client("dynamodb")

        with pytest.raises(StackError, match="Tick"):
            propose(cloud, _failing(packaged)).execute()

        assert tables.list_tables()["TableNames"] == []
        again = propose(cloud, packaged)
        again.execute()
        protected = [
            tables.describe_table(TableName=name)["Table"]["DeletionProtectionEnabled"]
            for name in tables.list_tables()["TableNames"]
        ]

    assert protected == [True] * 4


def _failing(packaged: Package) -> Package:
    """Return the package with a function that cannot be made, after tables that can."""
    unknown = "arn:aws:lambda:us-east-1:000000000000:layer:none:1"
    tables: Json = ["PostsTable", "DirectoryTable", "MediaTable", "SandboxTable"]
    broken: Json = {"Tick": {"DependsOn": tables, "Properties": {"Layers": [unknown]}}}
    return replace(packaged, template=merge(packaged.template, {"Resources": broken}))


def _template(**more: str) -> dict[str, object]:
    names = ("ResourcePrefix", "MediaBucketName", PROTECTED, "PublicUrl")
    known = {name: {"Default": ""} for name in names}
    known |= {"AccountPlaces": {"Default": "10"}, "WarmWrites": {"Default": "0"}}
    return {"Parameters": known | {name: {"Default": value} for name, value in more.items()}}


def _place(places: int = 1000, unreserved: int | None = None, stage: str = "prod") -> Place:
    left = places if unreserved is None else unreserved
    return Place(stage=stage, account=ACCOUNT, places=places, unreserved=left)


def test_tables_are_protected_once_their_stack_stands() -> None:
    new = choose(_template(), {}, {}, _place())  # type: ignore[arg-type]
    later = choose(_template(), {}, new, _place())  # type: ignore[arg-type]

    assert (new[PROTECTED], later[PROTECTED]) == ("no", "yes")
    assert release_name("template", new) == release_name("template", later)


def test_a_new_stage_has_a_key_for_many_regions_and_another_keeps_its_own() -> None:
    """KMS makes no key into the other kind."""
    template = _template(TokensKeyRegions="one")

    new = choose(template, {}, {}, _place())  # type: ignore[arg-type]
    of_before = choose(template, {}, {"RowFormat": "1"}, _place())  # type: ignore[arg-type]
    later = choose(template, {}, new, _place())  # type: ignore[arg-type]

    assert ("many", "one", "many") == tuple(
        one["TokensKeyRegions"] for one in (new, of_before, later)
    )
    assert "one" == choose(template, {"TokensKeyRegions": "one"}, {}, _place())["TokensKeyRegions"]  # type: ignore[arg-type]
    for before in (new, {"RowFormat": "1"}):
        other = {"many": "one"}.get(before.get("TokensKeyRegions", ""), "many")
        with pytest.raises(ParameterError, match="cannot be changed"):
            choose(template, {"TokensKeyRegions": other}, before, _place())  # type: ignore[arg-type]


def test_a_parameter_that_the_stack_does_not_have_yet_gets_its_default() -> None:
    before = {"PublicUrl": "https://post.example", "Gone": "1"}

    chosen = choose(_template(New="7"), {}, before, _place())  # type: ignore[arg-type]

    assert (chosen["New"], chosen["PublicUrl"]) == ("7", "https://post.example")
    assert "Gone" not in chosen


def test_names_of_the_world_carry_the_account_and_cannot_be_given() -> None:
    chosen = choose(_template(), {}, {}, _place())  # type: ignore[arg-type]

    assert chosen["MediaBucketName"] == f"goldenhour-prod-media-{ACCOUNT}"
    for name in ("MediaBucketName", "PublicUlr"):
        with pytest.raises(ParameterError, match="PublicUrl"):
            choose(_template(), {name: "x"}, {}, _place())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("place", "places"),
    [
        pytest.param(_place(10), "10", id="a new account"),
        pytest.param(_place(999), "10", id="an account that has grown a little"),
        pytest.param(_place(1000), "1000", id="an account that AWS has raised"),
        pytest.param(_place(1000, stage="dev"), "10", id="a stage to try things in"),
        pytest.param(_place(1000, unreserved=233), "10", id="beside a stage that reserves"),
        pytest.param(_place(1000, unreserved=866), "10", id="one place less than Lambda demands"),
        pytest.param(_place(1000, unreserved=917), "1000", id="just as many as Lambda demands"),
        pytest.param(_place(3000, unreserved=2233), "1000", id="room for a second that reserves"),
    ],
)
def test_a_new_stage_reserves_what_its_account_has_left(place: Place, places: str) -> None:
    chosen = choose(_template(), {}, {}, place)  # type: ignore[arg-type]

    assert chosen["AccountPlaces"] == places


def test_a_stage_keeps_what_it_has_reserved() -> None:
    before = {"AccountPlaces": "1000"}

    chosen = choose(_template(), {}, before, _place(1000, unreserved=233))  # type: ignore[arg-type]

    assert chosen["AccountPlaces"] == "1000"
    assert "reserves 817 of the account's 1000" in advice_on_places(chosen, _place(1000, 233))


def test_a_reservation_that_lambda_would_refuse_is_refused_before_it_does() -> None:
    given = {"AccountPlaces": "1000"}

    with pytest.raises(ParameterError, match="only 233 of this account's 1000 are not reserved"):
        choose(_template(), given, {}, _place(1000, unreserved=233))  # type: ignore[arg-type]


def test_more_places_than_the_account_has_are_refused_before_aws_does() -> None:
    with pytest.raises(ParameterError, match="this account may run 10 executions"):
        choose(_template(), {"AccountPlaces": "1000"}, {}, _place(10))  # type: ignore[arg-type]


def test_older_code_than_wrote_the_rows_is_not_deployed() -> None:
    newer = {"RowFormat": str(ROW_FORMAT + 1)}

    with pytest.raises(ParameterError, match=f"reads format {ROW_FORMAT}"):
        choose(_template(RowFormat="1"), {}, newer, _place())  # type: ignore[arg-type]
    chosen = choose(_template(RowFormat="1"), {}, {"PublicUrl": ""}, _place())  # type: ignore[arg-type]
    assert chosen["RowFormat"] == str(ROW_FORMAT)


def test_another_value_makes_another_release() -> None:
    values = choose(_template(), {}, {}, _place())  # type: ignore[arg-type]

    assert release_name("t", values) != release_name("t", values | {"PublicUrl": "https://b.c"})
    assert release_name("t", values) != release_name("u", values)


def test_a_new_stage_that_reserves_is_warmed_for_ten_thousand_texts_and_says_so() -> None:
    place = _place(1000, unreserved=1000)

    new = choose(_template(), {}, {}, place)  # type: ignore[arg-type]
    old = choose(_template(), {}, {"AccountPlaces": "1000"}, place)  # type: ignore[arg-type]
    tried = choose(_template(), {}, {}, _place(10))  # type: ignore[arg-type]

    assert [one["WarmWrites"] for one in (new, old, tried)] == ["8000", "0", "0"]
    assert "warmed for 8000 writes a second, which AWS charges once" in advice_on_places(new, place)
    assert "warmed" not in advice_on_places(old, place)


def test_what_is_warmed_is_never_asked_to_cool() -> None:
    before = {"AccountPlaces": "1000", "WarmWrites": "8000"}

    with pytest.raises(ParameterError, match="never lowers"):
        choose(_template(), {"WarmWrites": "0"}, before, _place(1000))  # type: ignore[arg-type]
