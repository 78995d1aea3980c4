"""What takes long is done once a run: packaging, and bringing the libraries for Lambda."""

import os
import sys
from collections.abc import Iterator
from platform import machine

import pytest

from infra.packaging.bytecode import find_python
from infra.packaging.libraries import Libraries, bring_libraries
from infra.packaging.package import Package, package
from infra.packaging.runtime import MACHINES, PYTHON, Version
from infra.template.merging import Template
from infra.template.stage import Code, plain_template, stage_template
from tests.deployment.cloud import a_cloud
from tests.deployment.stage import STAGE, Stage, a_stage
from tests.support.emulator import REGION, EmulatorProcess


@pytest.fixture(scope="session")
def emulator() -> Iterator[EmulatorProcess]:
    """Yield an AWS that is asked over HTTP: what is deployed has botocore's clients."""
    with a_cloud() as cloud:
        del os.environ["AWS_ENDPOINT_URL"]  # other tests of this process mean other endpoints
        yield EmulatorProcess(cloud.endpoint)


@pytest.fixture(scope="session")
def packaged(tmp_path_factory: pytest.TempPathFactory) -> Package:
    """Return the app packaged without libraries: the emulator's own do."""
    return package(STAGE, tmp_path_factory.mktemp("package"), region=REGION)


@pytest.fixture(scope="session")
def template(packaged: Package) -> Template:
    """Return what CloudFormation is sent."""
    code = Code(
        bucket="artifacts", zip_key="code/1.zip", layer_key="code/2.zip", release="3f9c2a7d"
    )
    return plain_template(stage_template(packaged.template, "prod"), code=code, region=REGION)


@pytest.fixture(scope="module")
def stage(packaged: Package) -> Iterator[Stage]:
    """Yield a stage of that package, in a cloud of its own."""
    with a_stage(packaged) as made:
        yield made


@pytest.fixture(scope="session")
def runnable() -> Version:
    """Return the runtime's Python, or this one where the machine does not have it."""
    return PYTHON if find_python(PYTHON) else sys.version_info[:2]


@pytest.fixture(scope="session")
def libraries(tmp_path_factory: pytest.TempPathFactory, runnable: Version) -> Libraries:
    """Return the libraries that go to Lambda, from the package index, for this machine to run."""
    (architecture,) = (name for name, wheels in MACHINES.items() if wheels == machine())
    return bring_libraries(tmp_path_factory.mktemp("libraries"), runnable, architecture)


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory, libraries: Libraries) -> Package:
    """Return what Lambda gets: the app with every library, and the layer."""
    folder = tmp_path_factory.mktemp("whole")
    return package(STAGE, folder, region=REGION, libraries=libraries)
