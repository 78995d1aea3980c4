"""`chalice package` by hand ends, with a Python whose Lambda has a C library new enough."""

import json
import os
import subprocess
import zipfile
from pathlib import Path

import pytest

from infra.packaging.bytecode import find_python
from infra.packaging.libraries import PROJECT
from tests.deployment.packages.test_full_package import LARGEST_UNZIPPED
from tests.support.emulator import CREDENTIALS

pytestmark = pytest.mark.deploy

FROM_PYTHON = (3, 12)


@pytest.mark.costly
def test_chalice_package_by_hand_makes_a_zip_that_lambda_takes(tmp_path: Path) -> None:
    python = find_python((3, 13)) or find_python(FROM_PYTHON)
    if python is None:
        pytest.skip("Python 3.12 or 3.13 is needed, and neither is here")
    environment = {**os.environ, **CREDENTIALS}
    own, output = tmp_path / "venv", tmp_path / "out"
    subprocess.run([python, "-m", "venv", str(own)], check=True)
    pip = [str(own / "bin" / "python"), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, "-r", str(PROJECT / "requirements.txt")], check=True)

    subprocess.run(
        [str(own / "bin" / "chalice"), "package", "--stage", "dev", str(output)],
        cwd=PROJECT,
        env=environment,
        check=True,
        timeout=300,
    )

    with zipfile.ZipFile(output / "deployment.zip") as packed:
        size = sum(one.file_size for one in packed.infolist())
    template = json.loads((output / "sam.json").read_text(encoding="utf-8"))
    assert size < LARGEST_UNZIPPED
    assert {"APIHandler", "Tick", "Publish"} <= set(template["Resources"])
