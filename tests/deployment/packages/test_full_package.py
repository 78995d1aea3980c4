"""`make deploy-check`: the zip with all its libraries, as Lambda gets it. Needs a package index.

What the other tests leave to the test's own libraries is shown here from zip and layer alone, in
the runtime's own Python where the machine has it: their sizes, that every wheel was made for the
runtime, what a cold start costs, and the smoke test of `make deploy`, whose photo is converted by
the layer.
"""

import io
import re
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import tzdata
from packaging.tags import parse_tag
from PIL import Image

from infra.packaging.archive import unzipped_bytes
from infra.packaging.bytecode import find_python
from infra.packaging.libraries import PROJECT, Libraries
from infra.packaging.package import Package
from infra.packaging.runtime import Version, fitting_tags
from infra.smoke import smoke
from infra.template.stage import LAYER_CARRIERS
from tests.deployment.packages.cold_start import FLOOR, FUNCTIONS, cold_start_ms
from tests.deployment.stage import Stage, a_stage

pytestmark = [pytest.mark.deploy, pytest.mark.costly("zip and layer with all libraries")]

FIGURES = PROJECT / "build" / "deploy-figures.txt"
LARGEST_ZIP = 50_000_000
LARGEST_UNZIPPED = 250_000_000
PAGE = PROJECT / "docs" / "deploy.md"
SIZES = r"^\| (?:zip of every function|layer of `Convert`)[^|]*\|[^|]*\|$"
UNWANTED = (
    *("chalicelib/cli", "chalicelib/local", "granian", "ministack", "moto", "pytest", "click"),
    *("av/", "PIL/"),
)


def tell(figure: str) -> None:
    """Keep a figure for `make deploy-check` to print: its workers' output is not shown."""
    FIGURES.parent.mkdir(exist_ok=True)
    with FIGURES.open("a", encoding="utf-8") as figures:
        figures.write(f"{figure}\n")


@pytest.fixture(scope="module")
def interpreter(runnable: Version) -> str:
    found = find_python(runnable)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def unpacked(whole: Package, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("task")
    with zipfile.ZipFile(whole.archive) as archive:
        archive.extractall(folder)
    return folder


@pytest.fixture(scope="module")
def with_layer(whole: Package, unpacked: Path) -> Path:
    """Return where Lambda unpacks the layer."""
    assert whole.layer is not None
    folder = unpacked.with_name("opt")
    with zipfile.ZipFile(whole.layer) as archive:
        archive.extractall(folder)
    return folder / "python"


@pytest.fixture(scope="module")
def deployed(whole: Package, interpreter: str) -> Iterator[Stage]:
    """Yield a stage whose functions see zip and layer, and no library of this machine."""
    with a_stage(whole, interpreter) as stage:
        yield stage


def test_zip_and_layer_are_within_lambda_s_limits(whole: Package) -> None:
    assert whole.layer is not None
    zipped, layer = whole.archive.stat().st_size, whole.layer.stat().st_size
    unzipped = unzipped_bytes(whole.archive)
    together = unzipped + unzipped_bytes(whole.layer)

    tell(f"zip {zipped / 1e6:.1f} MB of 50, layer {layer / 1e6:.1f} MB")
    tell(f"unzipped {unzipped / 1e6:.1f} MB, {together / 1e6:.1f} with the layer, of 250")
    assert zipped < LARGEST_ZIP
    assert together < LARGEST_UNZIPPED
    told = re.findall(r"([0-9.]+) MB", "".join(re.findall(SIZES, PAGE.read_text(), re.MULTILINE)))
    measured = [size / 1e6 for size in (zipped, unzipped, layer, together)]
    assert measured == pytest.approx([float(one) for one in told], rel=0.05)


def test_the_zip_holds_nothing_that_lambda_does_not_need(whole: Package) -> None:
    with zipfile.ZipFile(whole.archive) as archive:
        names = archive.namelist()

    assert [name for name in names if name.startswith(UNWANTED)] == []


@pytest.mark.parametrize("part", ["archive", "layer"])
def test_every_wheel_was_made_for_the_runtime(
    whole: Package, libraries: Libraries, part: str
) -> None:
    with zipfile.ZipFile(getattr(whole, part)) as archive:
        files = [name for name in archive.namelist() if name.endswith(".dist-info/WHEEL")]
        wheels = {name: archive.read(name).decode().splitlines() for name in files}
    fitting = fitting_tags(libraries.python, libraries.architecture)

    assert wheels
    for name, lines in wheels.items():
        tags = [parse_tag(line.partition(": ")[2]) for line in lines if line.startswith("Tag: ")]
        assert any(tag & fitting for tag in tags), name


def test_every_function_starts_from_zip_and_layer_alone(
    unpacked: Path, with_layer: Path, interpreter: str
) -> None:
    floor = cold_start_ms(unpacked, FLOOR, interpreter)
    tell(f"cold start, CPU ms: floor (chalice and one client) {floor:.0f}")
    for name, start in FUNCTIONS.items():
        layers = (with_layer,) if name in map(str.lower, LAYER_CARRIERS) else ()
        taken = cold_start_ms(unpacked, start, interpreter, layers=layers)
        tell(f"  {name:<15} {taken:5.0f}   x {taken / floor:.2f}")


def test_the_function_that_prepares_posts_makes_pictures_of_link_cards(
    unpacked: Path, with_layer: Path, interpreter: str
) -> None:
    assert "Prepare" in LAYER_CARRIERS
    picture = io.BytesIO()
    Image.new("RGB", (2_000, 1_000), "wheat").save(picture, "WEBP")
    seen = [str(unpacked), str(with_layer)]
    code = (
        f"import sys; sys.path[:0] = {seen!r};"
        "from chalicelib.connectors.shared.card_pictures import as_jpeg;"
        "sys.stdout.buffer.write(as_jpeg([sys.stdin.buffer.read()], 950_000) or b'')"
    )

    made = subprocess.run(
        [interpreter, "-I", "-S", "-c", code],
        input=picture.getvalue(),
        capture_output=True,
        check=True,
    )

    assert made.stdout.startswith(b"\xff\xd8\xff")


def test_the_smoke_test_publishes_a_post_whose_photo_the_layer_converted(deployed: Stage) -> None:
    live = smoke(deployed.settings, deployed.url)

    assert "/sandbox/instagram/" in live
    (copy,) = deployed.objects("prepared/")
    assert copy.startswith(b"\xff\xd8\xff")


def test_the_zip_brings_the_rules_of_time_zones(unpacked: Path) -> None:
    rules = unpacked / "tzdata" / "zoneinfo" / "America" / "Vancouver"

    pinned = Path(tzdata.__file__).parent / "zoneinfo" / "America" / "Vancouver"
    assert rules.read_bytes() == pinned.read_bytes()
