"""The upload front runs the code that is deployed: its tag follows what is built into it."""

import re
import subprocess
import sys
from pathlib import Path

import boto3
import pytest
from moto import mock_aws

from infra.front.image import (
    BUILT_FROM,
    PROJECT,
    NoImageError,
    image_of,
    next_image,
    require_pushed,
)
from tests.support.emulator import CREDENTIALS

REPOSITORY = "123456789012.dkr.ecr.us-east-1.amazonaws.com/goldenhour-front"
TAG = "3f9c2a7d41be0000"


def _file(checkout: Path, name: str) -> Path:
    """Return a file that stands for a file or folder of the checkout."""
    place = checkout / name
    return place if place.suffix else place / "one.py"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    for name in BUILT_FROM:
        file = _file(tmp_path, name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("changed", BUILT_FROM)
def test_a_change_of_anything_in_the_image_makes_another_image(
    checkout: Path, changed: str
) -> None:
    before = image_of(REPOSITORY, checkout)
    _file(checkout, changed).write_text("bread", encoding="utf-8")

    assert image_of(REPOSITORY, checkout) != before
    assert re.fullmatch(rf"{REPOSITORY}:[0-9a-f]{{16}}", before)


def test_bytecode_makes_no_other_image(checkout: Path) -> None:
    before = image_of(REPOSITORY, checkout)
    cache = checkout / "chalicelib" / "__pycache__"
    cache.mkdir()
    (cache / "one.pyc").write_bytes(b"x")

    assert image_of(REPOSITORY, checkout) == before


def test_a_tag_that_is_given_is_kept_for_going_back() -> None:
    assert image_of(f"{REPOSITORY}:{TAG}") == f"{REPOSITORY}:{TAG}"


@pytest.mark.parametrize(
    ("given", "before", "image"),
    [
        pytest.param(None, f"{REPOSITORY}:older", image_of(REPOSITORY), id="that of this code"),
        pytest.param(REPOSITORY, "", image_of(REPOSITORY), id="a first one"),
        pytest.param(f"{REPOSITORY}:{TAG}", f"{REPOSITORY}:x", f"{REPOSITORY}:{TAG}", id="back"),
        pytest.param("", f"{REPOSITORY}:older", "", id="taken away"),
        pytest.param(None, "", "", id="never had one"),
    ],
)
def test_a_deployment_sends_the_front_that_is_wanted(
    given: str | None, before: str, image: str
) -> None:
    """The template's words of FrontImage: "empty: no upload front"."""
    assert next_image(given, before) == image


def test_the_digest_covers_all_that_the_image_is_built_from() -> None:
    text = (PROJECT / "infra" / "front" / "Dockerfile").read_text(encoding="utf-8")

    copied = {name.rstrip("/") for name in re.findall(r"^COPY (\S+)", text, re.MULTILINE)}
    assert set(BUILT_FROM) == copied


def test_an_image_that_was_not_pushed_is_refused_with_the_command_that_pushes_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in CREDENTIALS.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    advice = f"make front-image REPOSITORY={REPOSITORY}"
    with mock_aws():
        registry = boto3.client("ecr")
        with pytest.raises(NoImageError, match=advice):
            require_pushed(registry, f"{REPOSITORY}:{TAG}")
        registry.create_repository(repositoryName="goldenhour-front")
        with pytest.raises(NoImageError, match=advice):
            require_pushed(registry, f"{REPOSITORY}:{TAG}")
        registry.put_image(
            repositoryName="goldenhour-front",
            imageManifest='{"schemaVersion": 2, "config": {"digest": "sha256:0"}, "layers": []}',
            imageManifestMediaType="application/vnd.oci.image.manifest.v1+json",
            imageTag=TAG,
        )

        require_pushed(registry, f"{REPOSITORY}:{TAG}")


@pytest.mark.parametrize("folder", ["front", "server"])
def test_images_are_built_on_an_exact_tag_of_hashed_packages(folder: str) -> None:
    text = (PROJECT / "infra" / folder / "Dockerfile").read_text(encoding="utf-8")

    assert re.search(r"^FROM python:3\.\d+\.\d+-slim-\w+$", text, re.MULTILINE)
    assert "--require-hashes" in text


def test_the_front_starts_without_what_decodes_files() -> None:
    without = "import sys; sys.modules.update(av=None, PIL=None); import infra.front.server"

    started = subprocess.run(
        [sys.executable, "-c", without],
        cwd=PROJECT,
        env={"AWS_DEFAULT_REGION": "us-east-1", **CREDENTIALS},
        capture_output=True,
        text=True,
        check=False,
    )

    assert started.returncode == 0, started.stderr


def test_a_repository_that_the_front_may_not_pull_from_is_refused() -> None:
    other = "123456789012.dkr.ecr.us-east-1.amazonaws.com/uploads"

    with pytest.raises(NoImageError, match="a repository named goldenhour-front"):
        image_of(other)
    with pytest.raises(NoImageError, match="a repository named goldenhour-front"):
        image_of(f"{other}:{TAG}")
