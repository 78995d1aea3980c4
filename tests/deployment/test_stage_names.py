"""A stage that AWS would refuse for its name is refused before anything is made."""

import pytest

from chalicelib.settings import Settings
from infra.parameters import Place, choose
from infra.stage_names import find_flaw
from infra.template.merging import Template

LONGEST = "s" * 33


@pytest.mark.parametrize("name", ["dev", "prod", "eu-west", "2027", LONGEST])
def test_the_bucket_of_a_stage_has_a_name_that_s3_takes(template: Template, name: str) -> None:
    """S3 guide, "General purpose bucket naming rules": at most 63 characters, in small letters."""
    place = Place(stage=name, account="111122223333", places=10, unreserved=10)

    bucket = choose(template, {}, {}, place)["MediaBucketName"]

    assert find_flaw(name) is None
    assert len(bucket) <= 63
    assert bucket == bucket.lower()


@pytest.mark.parametrize("name", ["Prod", "pr_12", "pr.12", "-a", LONGEST + "s", "größe"])
def test_a_stage_whose_bucket_s3_would_refuse_is_refused_first(name: str) -> None:
    assert "its bucket is named after it" in (find_flaw(name) or "")


def test_no_stage_takes_itself_for_one_machine() -> None:
    """There platforms fetch files of any size; behind API Gateway they cannot."""
    told = {"GOLDENHOUR_STAGE": "local", "GOLDENHOUR_PUBLIC_URL": "https://post.example"}

    assert Settings.from_environment(told).pull_url == "https://post.example"
    assert "one machine" in (find_flaw("local") or "")
