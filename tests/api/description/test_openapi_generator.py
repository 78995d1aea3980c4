"""Clients that OpenAPI Generator makes of docs/openapi.json compile and do the whole flow.

It needs Java and is fetched by Maven; each client's libraries come by its own lock file or pom.
They take minutes to compile, so they are proven and not tested each time.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.api.description.test_generated_clients import (
    BUILD,
    DESCRIPTION,
    HERE,
    as_openapi_30,
    done,
    flow,
    stack,
)
from tests.local.running_stack import Stack

__all__ = ["flow", "stack"]

pytestmark = [pytest.mark.prove, pytest.mark.timeout(3600)]

GENERATOR = "org.openapitools:openapi-generator-cli:7.17.0"
COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy"


@pytest.fixture(scope="module")
def generator() -> Path:
    """Return the generator; skip without Java, Maven or its registry."""
    if shutil.which("java") is None or shutil.which("mvn") is None:
        pytest.skip("Java and Maven are not here, so OpenAPI Generator cannot run.")
    folder = BUILD / "openapi-generator"
    _, name, version = GENERATOR.split(":")
    jar = folder / f"{name}-{version}.jar"
    if not jar.exists():
        words = ["mvn", "-q", "-B", COPY, f"-Dartifact={GENERATOR}", f"-DoutputDirectory={folder}"]
        if subprocess.run(words, capture_output=True, check=False).returncode != 0:
            pytest.skip("Maven could not fetch OpenAPI Generator (no registry?).")
    return jar


def generated(generator: Path, folder: Path, *kind: str, description: Path = DESCRIPTION) -> None:
    """Make a client in a folder."""
    done(["java", "-jar", generator, "generate", "-i", description, "-o", folder, *kind], HERE)


def test_rust_does_the_whole_flow(
    generator: Path, flow: list[str], stack: Stack, tmp_path: Path
) -> None:
    cargo = shutil.which("cargo")
    if cargo is None:
        pytest.skip("Rust is not here.")
    project = tmp_path / "flow"
    shutil.copytree(HERE / "rust", project)
    fetched = {**os.environ, "CARGO_TARGET_DIR": str(tmp_path / "target")}
    blocking = "supportAsync=false,packageName=goldenhour"  # the other one uploads no files
    generated(generator, project / "api", *("-g", "rust"), *("--additional-properties", blocking))

    words = [cargo, "build", "--quiet", "--locked"]
    built = subprocess.run(
        words, cwd=project, env=fetched, capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stderr
    url = done([tmp_path / "target" / "debug" / "flow", *flow], tmp_path).strip()

    assert url.startswith(f"http://127.0.0.1:{stack.port}/sandbox/instagram/")


def test_java_does_the_whole_flow(
    generator: Path, flow: list[str], stack: Stack, tmp_path: Path
) -> None:
    """Of `nullable` it makes fields; of 3.1's types null, wrappers that do not compile."""
    project, older = tmp_path / "flow", tmp_path / "openapi.json"
    older.write_text(json.dumps(as_openapi_30(json.loads(DESCRIPTION.read_text("utf-8")))))
    kind = ["-g", "java", "--library", "restclient"]
    kind += ["--skip-validate-spec"]  # the rest of it is 3.1's
    kind += ["--additional-properties", "containerDefaultToNull=true"]  # else a PATCH empties lists
    generated(generator, project, *kind, description=older)
    shutil.copytree(HERE / "java", project / "src" / "main" / "java", dirs_exist_ok=True)
    skipped = [f"-Dmaven.{what}.skip=true" for what in ("test", "javadoc", "source")]

    done(["mvn", "-q", "-B", *skipped, "package"], project)
    classes = f"{project}/target/*{os.pathsep}{project}/target/lib/*"
    url = done(["java", "-cp", classes, "flow.Flow", *flow], tmp_path).strip()

    assert url.startswith(f"http://127.0.0.1:{stack.port}/sandbox/instagram/")


def test_kotlin_does_the_whole_flow(
    generator: Path, flow: list[str], stack: Stack, tmp_path: Path
) -> None:
    project, plainer = tmp_path / "flow", tmp_path / "openapi.json"
    plainer.write_text(json.dumps(_for_kotlin(json.loads(DESCRIPTION.read_text("utf-8")))))
    kind = ["-g", "kotlin", "--additional-properties", "enumPropertyNaming=UPPERCASE"]
    generated(generator, project, *kind, description=plainer)
    shutil.rmtree(project / "src" / "test")
    shutil.copy(HERE / "kotlin" / "pom.xml", project)
    shutil.copytree(HERE / "kotlin" / "flow", project / "src" / "main" / "kotlin" / "flow")

    done(["mvn", "-q", "-B", "package"], project)
    classes = f"{project}/target/classes{os.pathsep}{project}/target/lib/*"
    url = done(["java", "-cp", classes, "flow.FlowKt", *flow], tmp_path).strip()

    assert url.startswith(f"http://127.0.0.1:{stack.port}/sandbox/instagram/")


def _for_kotlin(part: Any) -> Any:  # noqa: ANN401 - JSON
    """Return the description without what the generator for Kotlin reads as something else.

    Of `additionalProperties: false` it makes maps, of a list's default a name that is none.
    """
    if isinstance(part, list):
        return [_for_kotlin(one) for one in part]
    if not isinstance(part, dict):
        return part
    is_closed, is_list = part.get("additionalProperties") is False, part.get("type") == "array"
    left_out = {"additionalProperties"} if is_closed else set()
    left_out |= {"default"} if is_list else set()
    return {name: _for_kotlin(inner) for name, inner in part.items() if name not in left_out}
