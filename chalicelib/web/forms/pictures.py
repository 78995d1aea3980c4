"""Small pictures within a page, for readers who may fetch no others."""

from base64 import b64encode

from chalicelib.domain.media.workspace_pictures import LARGEST_BYTES
from chalicelib.domain.workspace.profiles import kind_of_picture


def picture_in_page(picture: bytes | None) -> str:
    """Return a picture as a data URL; none if it is too large."""
    if picture is None or len(picture) > LARGEST_BYTES:
        return ""
    kind = kind_of_picture(picture)
    return f"data:{kind};base64,{b64encode(picture).decode()}" if kind else ""
