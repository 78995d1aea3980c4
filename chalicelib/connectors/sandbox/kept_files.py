"""By which names the sandbox keeps the files that posts go out with."""

import hashlib
import json
from collections.abc import Callable, Iterator

from chalicelib.connectors.connector import MediaFile, Publication
from chalicelib.kit.json_value import Json

KeepFile = Callable[[str, Iterator[bytes]], bool]
_SHAPING = ("trim", "crop", "fit", "cover_second", "cover_media_id")
"""Options that say what is prepared of a file."""


def keep_files(publication: Publication, keep: KeepFile) -> dict[str, Json]:
    """Keep what is uploaded, the file and its cover; return by which names, if it is kept."""
    media = publication.media
    going = {"file": media, "cover": None if media is None else media.poster}
    return {
        which: name
        for which, file in going.items()
        if file is not None and keep(name := name_of(file, publication), file.source.stream())
    }


def name_of(file: MediaFile, publication: Publication) -> str:
    """Return a name that stands for what was prepared of a file, the same for every target."""
    shaping = {name: publication.options.get(name) for name in _SHAPING}
    about = [file.id, str(file.mime), file.size_bytes, file.width, file.height, file.duration_s]
    return hashlib.sha256(json.dumps([*about, shaping], sort_keys=True).encode()).hexdigest()
