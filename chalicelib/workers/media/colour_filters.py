"""Filters that bring a video's pictures to the size and the colours of usual screens (BT.709).

`pictures` uses them. A picture's own statement of its colours counts. Without one, small pictures
are read as BT.601 (standard-definition television), as players do. Numbers: ITU-T H.273.
"""

from fractions import Fraction
from typing import Final

from av.filter import Graph
from av.filter.context import FilterContext
from av.video.format import VideoFormat
from av.video.frame import VideoFrame

from chalicelib.kit.colours.hdr_table import SIDE, Source, table

_MATRICES: Final = {
    1: "bt709",
    4: "fcc",
    5: "bt601",
    6: "bt601",
    7: "smpte240m",
    9: "bt2020",
    10: "bt2020",
}
_RED_GREEN_BLUE: Final = 0
_LIGHTS: Final = {16: "pq", 18: "hlg"}
_BT2020: Final = 9
_PRIMARIES: Final = {_BT2020: "bt2020", 11: "p3", 12: "p3"}
_FULL_RANGE: Final = 2
_TELEVISION_LINES: Final = 576
_DEEP: Final = "gbrp10le"
_PIXEL_BYTES: Final = 6
_USUAL: Final = "range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709"


class Colours:
    """The filters of one video, for pictures like its first."""

    def __init__(self, graph: Graph, first: VideoFrame, form: str) -> None:
        self._graph = graph
        self._form = form
        self._first = first
        self._source = _source(first)
        self._table: FilterContext | None = None

    def to(self, size: tuple[int, int]) -> list[FilterContext]:
        """Return the filters, in order, that give pictures of a size."""
        add, form = self._graph.add, self._form
        said = f"{size[0]}:{size[1]}{_reading(self._first)}"
        written = "" if form == "rgb24" else ":out_color_matrix=bt709:out_range=tv"
        if self._source is None:
            nodes = [add("scale", said + written)]
        else:
            nodes = [add("scale", said), add("format", _DEEP), self._lookup()]
            nodes.append(add("scale", f"{size[0]}:{size[1]}:in_range=pc{written}"))
        nodes.append(add("format", form))
        return nodes if form == "rgb24" else [*nodes, add("setparams", _USUAL)]

    def fill(self) -> None:
        """Put the table in, once the graph is configured."""
        if self._table is not None and self._source is not None:
            self._table.push(_picture_of(table(self._source)))
            self._table.push(None)

    def _lookup(self) -> FilterContext:
        """Return the filter that looks each colour up, beside it the way that its table comes."""
        add = self._graph.add
        once = Fraction(1)
        self._table = self._graph.add_buffer(
            width=SIDE, height=SIDE, format=VideoFormat("rgb48le"), time_base=once
        )
        deep, lookup = add("format", _DEEP), add("haldclut", "interp=tetrahedral:clut=first")
        self._table.link_to(deep)
        deep.link_to(lookup, 0, 1)
        return lookup


def _source(first: VideoFrame) -> Source | None:
    """Return what the pictures' numbers mean, None for the colours of usual screens."""
    light = _LIGHTS.get(first.color_trc, "sdr")
    primaries = _PRIMARIES.get(first.color_primaries)
    if light == "sdr":
        return None if primaries is None else Source(light, primaries)
    return Source(light, primaries or "bt2020")


def _reading(first: VideoFrame) -> str:
    """Return how numbers are made colours: as the pictures say, else as players take them."""
    if first.colorspace == _RED_GREEN_BLUE or first.format.is_rgb:
        return ""
    usual = "bt601" if first.height <= _TELEVISION_LINES else "bt709"
    if first.color_trc in _LIGHTS:
        usual = "bt2020"
    is_full = first.color_range == _FULL_RANGE or first.format.name.startswith("yuvj")
    matrix = _MATRICES.get(first.colorspace, usual)
    return f":in_color_matrix={matrix}:in_range={'pc' if is_full else 'tv'}"


def _picture_of(pixels: bytes) -> VideoFrame:
    frame = VideoFrame(SIDE, SIDE, "rgb48le")
    (plane,) = frame.planes
    row = SIDE * _PIXEL_BYTES
    gap = bytes(plane.line_size - row)
    plane.update(b"".join(pixels[at : at + row] + gap for at in range(0, len(pixels), row)))
    frame.pts, frame.time_base = 0, Fraction(1)
    return frame
