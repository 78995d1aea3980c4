"""Where links of the books lead on the site: a page of it, or nowhere.

The books are read in the repository, too, where they link to code and tests. What is not on the
site is named there without a link.
"""

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from posixpath import normpath, relpath
from typing import Final

_LINK: Final = re.compile(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
_SOURCE: Final = re.compile(r'\b(src|srcset)="(?!https?:)([^"]+)"')
_ELSEWHERE: Final = re.compile(r"[a-z]+:|#|/")


def relinked(text: str, at: str, places: Mapping[str, str]) -> str:
    """Return a page of the repository, `at` a path of it, with its links as the site needs them.

    `places` says where on the site each of the repository's files lies.
    """
    page = places[at]

    def link(found: re.Match[str]) -> str:
        words, target = found[1], found[2]
        if _ELSEWHERE.match(target):
            return found[0]
        path, hash_sign, anchor = target.partition("#")
        place = places.get(_in_repository(path, at))
        return words if place is None else f"[{words}]({_from(page, place)}{hash_sign}{anchor})"

    def source(found: re.Match[str]) -> str:
        place = places.get(_in_repository(found[2], at))
        return found[0] if place is None else f'{found[1]}="{_beside(page, place)}"'

    return _SOURCE.sub(source, _LINK.sub(link, text))


def _in_repository(path: str, at: str) -> str:
    return normpath(str(PurePosixPath(at).parent / path))


def _from(page: str, place: str) -> str:
    return relpath(place, str(PurePosixPath(page).parent))


def _beside(page: str, place: str) -> str:
    """Return where a file lies for the page as it is served, a folder of its own for each."""
    served = PurePosixPath(page).with_suffix("")
    return relpath(place, str(served.parent if served.name == "README" else served))
