"""The libraries that wheels of others carry as files of their own, and under which licences.

auditwheel puts them into a folder `NAME.libs` beside the package. The build of FFmpeg in PyAV's
wheels calls itself LGPL, version 3 or later. It is linked with x264 and x265 there, so the GPL
holds for it. A library without a line here fails `make release`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path
from types import MappingProxyType
from typing import Final

_FFMPEG: Final = "GPL-3.0-or-later"
_GNU: Final = "LGPL-3.0-or-later OR GPL-2.0-or-later"
LICENCES: Final = MappingProxyType(
    {
        "SvtAv1Enc": "BSD-3-Clause-Clear",
        "Xau": "MIT",
        "asound": "LGPL-2.1-or-later",
        "avcodec": _FFMPEG,
        "avdevice": _FFMPEG,
        "avfilter": _FFMPEG,
        "avformat": _FFMPEG,
        "avif": "BSD-2-Clause",
        "avutil": _FFMPEG,
        "brotlicommon": "MIT",
        "brotlidec": "MIT",
        "dav1d": "BSD-2-Clause",
        "drm": "MIT",
        "freetype": "FTL OR GPL-2.0-or-later",
        "gmp": _GNU,
        "gnutls": "LGPL-2.1-or-later",
        "harfbuzz": "MIT-Modern-Variant",
        "hogweed": _GNU,
        "jpeg": "IJG AND BSD-3-Clause AND Zlib",
        "lcms2": "MIT",
        "lzma": "0BSD",
        "mp3lame": "LGPL-2.0-or-later",
        "nettle": _GNU,
        "opencore-amrnb": "Apache-2.0",
        "opencore-amrwb": "Apache-2.0",
        "openjp2": "BSD-2-Clause",
        "opus": "BSD-3-Clause",
        "png16": "libpng-2.0",
        "sharpyuv": "BSD-3-Clause",
        "swresample": _FFMPEG,
        "swscale": _FFMPEG,
        "tiff": "libtiff",
        "unistring": _GNU,
        "vpl": "MIT",
        "vpx": "BSD-3-Clause",
        "webp": "BSD-3-Clause",
        "webpdemux": "BSD-3-Clause",
        "webpmux": "BSD-3-Clause",
        "x264": "GPL-2.0-or-later",
        "x265": "GPL-2.0-or-later",
        "xcb": "X11",
        "xcb-shape": "X11",
        "xcb-shm": "X11",
        "xcb-xfixes": "X11",
        "zstd": "BSD-3-Clause OR GPL-2.0-only",
    }
)
_FILE: Final = re.compile(r"lib(?P<name>.+)-[0-9a-f]{8}\.so(?:\.(?P<version>[0-9.]+))?", re.ASCII)


class UnknownLibrary(Exception):
    """A wheel carries a library whose licence nobody has written down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NativeLibrary:
    """A library in a wheel; `version` is that of its interface, as its file tells it."""

    name: str
    version: str | None
    licence: str
    file: Path


def carried_by(package: str) -> Iterator[NativeLibrary]:
    """Yield the libraries that a package's wheel carries. Raises UnknownLibrary."""
    installed = distribution(package)
    for each in sorted(installed.files or (), key=str):
        if not each.parts[0].endswith(".libs"):
            continue
        found = _FILE.fullmatch(each.name)
        licence = LICENCES.get(found["name"]) if found else None
        if found is None or licence is None:
            message = f"{package} carries {each.name}: write its licence into {__name__}."
            raise UnknownLibrary(message)
        file = Path(str(installed.locate_file(each)))
        yield NativeLibrary(
            name=f"lib{found['name']}", version=found["version"], licence=licence, file=file
        )
