"""The list of a release's parts (SBOM), as CycloneDX.

It has every library that the service's wheel asks for, its licence, and the libraries that media
wheels carry. It names the files of the machine on which the release is made: Linux, as the images.
"""

import hashlib
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path
from types import MappingProxyType
from typing import Final

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

from infra.releasing.native_libraries import NativeLibrary, carried_by
from infra.releasing.server_wheel import NAME, pinned

_LICENCES: Final = LicenseFactory()
_SAID_OTHERWISE: Final = MappingProxyType(
    {
        "chalice": "Apache-2.0",
        "fido2": "BSD-2-Clause AND Apache-2.0 AND MPL-2.0",
        "jinja2": "BSD-3-Clause",
        "jinxed": "MPL-2.0",
        "multipart": "MIT",
        "python-dateutil": "Apache-2.0 OR BSD-3-Clause",
        "readchar": "MIT",
        "requests-toolbelt": "Apache-2.0",
        "s3transfer": "Apache-2.0",
        "wcwidth": "MIT",
    }
)
"""Licences of packages that say theirs in other words than SPDX's, as their licence files do."""


def parts_list(project: Path, version: str) -> str:
    """Return the list as JSON. Raises UnknownLibrary for a library whose licence is unknown."""
    bom = Bom()
    service = Component(
        type=ComponentType.APPLICATION,
        name=NAME,
        version=version,
        bom_ref=NAME,
        licenses=[_LICENCES.make_from_string("Apache-2.0")],
        purl=PackageURL("pypi", name=NAME, version=version),
    )
    bom.metadata.component = service
    parts = list(_packages(project))
    for part in parts:
        bom.components.add(part)
        bom.register_dependency(part, list(part.components))
    bom.register_dependency(service, parts)
    return JsonV1Dot6(bom).output_as_string(indent=1)


def _packages(project: Path) -> Iterator[Component]:
    for requirement in pinned(project / "requirements-run.txt"):
        name, _, version = requirement.partition("==")
        purl = PackageURL("pypi", name=name.lower(), version=version)
        yield Component(
            type=ComponentType.LIBRARY,
            name=name,
            version=version,
            bom_ref=purl.to_string(),
            purl=purl,
            licenses=[_LICENCES.make_from_string(_licence(name))],
            components=[_native(name, each) for each in carried_by(name)],
        )


def _licence(name: str) -> str:
    said = distribution(name).metadata
    field = "License-Expression" if "License-Expression" in said else "License"
    return _SAID_OTHERWISE.get(name) or said[field]


def _native(package: str, library: NativeLibrary) -> Component:
    with library.file.open("rb") as opened:
        digest = hashlib.file_digest(opened, "sha256").hexdigest()
    return Component(
        type=ComponentType.LIBRARY,
        name=library.name,
        version=library.version,
        bom_ref=f"{package}/{library.file.name}",
        description=f"In the wheel of {package}, as {library.file.name}.",
        licenses=[_LICENCES.make_from_string(library.licence)],
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=digest)],
    )
