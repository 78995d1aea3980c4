"""`make deploy-check`: the zip with all its libraries, as Lambda gets it. Needs a package index.

What the other tests leave to the test's own libraries is shown here from the zip alone: its size,
that nothing is missing in it, what a cold start costs, and a post's whole way.
"""

import zipfile
from pathlib import Path

import pytest

from infra.media_layer import unzipped_bytes
from infra.packaging import Package, lambda_requirements, package
from tests.deployment.cold_start import FLOOR, FUNCTIONS, cold_start_ms, install, interpreters
from tests.deployment.stage import a_stage, publish_a_photo
from tests.support.emulator import REGION

pytestmark = pytest.mark.deploy

LARGEST_ZIP = 50_000_000
LARGEST_UNZIPPED = 250_000_000
UNWANTED = ("chalicelib/cli", "chalicelib/local", "granian", "ministack", "moto", "pytest", "click")


@pytest.fixture(scope="module")
def packaged(tmp_path_factory: pytest.TempPathFactory) -> Package:
    folder = tmp_path_factory.mktemp("package")
    return package("prod", folder, requirements=lambda_requirements(), region=REGION)


@pytest.fixture(scope="module")
def unpacked(packaged: Package, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("task")
    with zipfile.ZipFile(packaged.archive) as archive:
        archive.extractall(folder)
    return folder


@pytest.fixture(scope="module")
def with_layer(packaged: Package, unpacked: Path) -> Path:
    """Return where Lambda unpacks the layer."""
    assert packaged.layer is not None
    folder = unpacked.with_name("opt")
    with zipfile.ZipFile(packaged.layer) as archive:
        archive.extractall(folder)
    return folder / "python"


def test_zip_and_layer_are_within_lambda_s_limits(packaged: Package) -> None:
    assert packaged.layer is not None
    zipped, layer = packaged.archive.stat().st_size, packaged.layer.stat().st_size
    unzipped = unzipped_bytes(packaged.archive)
    together = unzipped + unzipped_bytes(packaged.layer)

    print(f"\nzip {zipped / 1e6:.1f} MB of 50, layer {layer / 1e6:.1f} MB")  # noqa: T201 - figures
    print(f"unzipped {unzipped / 1e6:.1f} MB, {together / 1e6:.1f} with the layer, of 250")  # noqa: T201 - figures
    assert zipped < LARGEST_ZIP
    assert together < LARGEST_UNZIPPED


def test_the_zip_holds_nothing_that_lambda_does_not_need(packaged: Package) -> None:
    with zipfile.ZipFile(packaged.archive) as archive:
        names = archive.namelist()

    assert [name for name in names if name.startswith(UNWANTED)] == []


def test_every_function_starts_from_zip_and_layer_alone(unpacked: Path, with_layer: Path) -> None:
    floor = cold_start_ms(unpacked, FLOOR)
    print(f"\ncold start, CPU ms: floor (chalice and one client) {floor:.0f}")  # noqa: T201 - figures
    for name, start in FUNCTIONS.items():
        layers = (with_layer,) if name == "convert" else ()
        taken = cold_start_ms(unpacked, start, layers=layers)
        print(f"  {name:<15} {taken:5.0f}   x {taken / floor:.2f}")  # noqa: T201 - figures


def test_the_code_starts_on_other_pythons_of_lambda(tmp_path: Path) -> None:
    for version, interpreter in interpreters():
        folder = install(interpreter, tmp_path / version)
        taken = cold_start_ms(folder, FUNCTIONS["api_handler"], interpreter)
        print(f"\n{version}: api_handler starts in {taken:.0f} ms of CPU")  # noqa: T201 - figures


def test_the_whole_zip_publishes_a_post(tmp_path: Path) -> None:
    with a_stage(tmp_path, lambda_requirements()) as stage:
        assert publish_a_photo(stage)["targets"][0]["url"]
