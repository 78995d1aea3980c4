"""What is left of botocore's models in the zip is enough for every client, and much smaller."""

import shutil
from pathlib import Path
from typing import Any

import botocore
import pytest
from botocore.loaders import Loader
from botocore.session import Session

from chalicelib.bootstrap.clients import SERVICES
from infra.packaging.models import trim_models

DATA = Path(botocore.__file__).parent / "data"
REGIONS = ("us-east-1", "eu-central-1", "cn-north-1", "us-gov-west-1")


@pytest.fixture(scope="module")
def trimmed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the models as the zip has them; one other service shows that others go."""
    data = tmp_path_factory.mktemp("botocore") / "data"
    data.mkdir()
    for name in (*SERVICES, "sts"):
        shutil.copytree(DATA / name, data / name)
    for file in DATA.glob("*.json"):
        shutil.copy2(file, data / file.name)
    trim_models(data)
    return data


def a_session(data: Path) -> Session:
    session = Session()
    loader = Loader(extra_search_paths=[str(data)], include_default_search_paths=False)
    session.register_component("data_loader", loader)
    session.set_credentials("test", "test")
    return session


def test_no_other_service_is_left(trimmed: Path) -> None:
    assert {folder.name for folder in trimmed.iterdir() if folder.is_dir()} == SERVICES


def test_endpoints_take_a_fraction_of_their_room(trimmed: Path) -> None:
    left, had = (folder / "endpoints.json" for folder in (trimmed, DATA))

    assert left.stat().st_size < had.stat().st_size / 10


@pytest.mark.parametrize("service", sorted(SERVICES))
def test_a_client_is_the_same_in_every_partition(service: str, trimmed: Path) -> None:
    whole, less = a_session(DATA), a_session(trimmed)

    for region in REGIONS:
        expected, client = (s.create_client(service, region_name=region) for s in (whole, less))
        assert client.meta.endpoint_url == expected.meta.endpoint_url
        assert client.meta.method_to_api_mapping == expected.meta.method_to_api_mapping
        shapes = expected.meta.service_model.shape_names
        assert client.meta.service_model.shape_names == shapes


def test_a_call_of_s3_finds_its_address_by_the_trimmed_rules(trimmed: Path) -> None:
    """The rules of endpoints are read at the first call; some texts must be there then."""
    client: Any = a_session(trimmed).create_client("s3", region_name="eu-central-1")

    link = client.generate_presigned_url("head_object", {"Bucket": "pictures", "Key": "a.jpg"})

    assert link.startswith("https://pictures.s3.eu-central-1.amazonaws.com/a.jpg?")
