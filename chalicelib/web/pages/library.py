"""The library: searching, filtering, describing and deleting the workspace's files."""

from urllib.parse import urlencode

from chalicelib.domain.ids import is_id, made_at
from chalicelib.domain.media.media import LONGEST_ALT_TEXT
from chalicelib.domain.media.query import MediaQuery
from chalicelib.domain.platforms.platform import MediaKind
from chalicelib.domain.workspace.access import Scope
from chalicelib.kit.asgi.messages import Response
from chalicelib.kit.dataclass import dataclass
from chalicelib.services.posts.file_descriptions import MediaWords
from chalicelib.web.messages import Form
from chalicelib.web.routing import Visit, page

_PAGE = "/app/library"
_A_PAGE = 60
_LONGEST_SEARCH = 1000
_USED = {"": "Used or not", "true": "On a post", "false": "On no post"}
_KINDS = {
    "": "Photos and videos",
    MediaKind.IMAGE.value: "Photos",
    MediaKind.VIDEO.value: "Videos",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The filters of the library: which files are shown."""

    kind: str
    used: str
    text: str

    def at(self, cursor: str = "") -> str:
        """Return the address of these files, or of the page at a cursor."""
        pairs = {"kind": self.kind, "used": self.used, "q": self.text, "cursor": cursor}
        asked = urlencode({name: value for name, value in pairs.items() if value})
        return f"{_PAGE}?{asked}" if asked else _PAGE

    @property
    def is_narrowed(self) -> bool:
        """Tell whether a filter or search is on."""
        return bool(self.kind or self.used or self.text)

    def query(self, cursor: str) -> MediaQuery:
        """Return these filters as a query."""
        return MediaQuery(
            kind=MediaKind(self.kind) if self.kind else None,
            is_used=None if not self.used else self.used == "true",
            text=self.text,
            limit=_A_PAGE,
            cursor=cursor if is_id(cursor) else None,
        )


def _read_wanted(sent: Form) -> Wanted:
    return Wanted(
        kind=sent["kind"] if sent["kind"] in _KINDS else "",
        used=sent["used"] if sent["used"] in _USED else "",
        text=sent["q"].strip()[:_LONGEST_SEARCH],
    )


@page("GET", _PAGE)
def show_library(visit: Visit) -> Response:
    """Show the newest files that match."""
    wanted = _read_wanted(visit.sent)
    found = visit.services.media.library.find(visit.caller, wanted.query(visit.sent["cursor"]))
    return visit.show(
        "workspace/library.html",
        wanted=wanted,
        files=found.files,
        kinds=_KINDS,
        uses=_USED,
        longest=LONGEST_ALT_TEXT,
        following=None if found.cursor is None else wanted.at(found.cursor),
        looked_back_to=None if found.cursor is None else made_at(found.cursor),
    )


@page("POST", f"{_PAGE}/{{media_id}}", scope=Scope.WRITE, pays=True, again=show_library)
def describe(visit: Visit) -> Response:
    """Save a file's name and alt text; posts with it that are not live get the alt text too."""
    words = MediaWords(
        alt_text=visit.form["alt_text"].strip()[:LONGEST_ALT_TEXT],
        keeps_alt=False,
        filename=visit.form["filename"].strip() or None,
    )
    visit.services.media.descriptions.describe(visit.caller, visit.path["media_id"], words)
    return visit.lead_to(
        _read_wanted(visit.form).at(), "Saved. Posts not yet published get this alt text too."
    )


@page("POST", f"{_PAGE}/{{media_id}}/delete", scope=Scope.WRITE, pays=True, again=show_library)
def delete(visit: Visit) -> Response:
    """Delete a file; posts with it that are not live fail unless they get another."""
    visit.services.media.library.remove(visit.caller, visit.path["media_id"])
    return visit.lead_to(_read_wanted(visit.form).at(), "The file was deleted.")
