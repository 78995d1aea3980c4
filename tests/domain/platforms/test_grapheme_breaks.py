"""Unicode's own break tests, asked of the counter of Bluesky's captions.

Of version 17, as Bluesky's own counter reads them (its last word is tests/reports/). Version 18 has
another rule for viramas (GB9c), by which ten of its texts have one sign less.
"""

from pathlib import Path

from chalicelib.domain.platforms.texts.caption_units import graphemes

CASES = Path(__file__).parent / "grapheme_breaks" / "17.0.txt"


def _texts() -> list[tuple[str, int]]:
    """Return each text with the number of its parts."""
    found = []
    for line in CASES.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            codes = line.replace("/", " ").split()
            found.append(("".join(chr(int(code, 16)) for code in codes), line.count("/") + 1))
    return found


def test_the_counter_breaks_where_unicode_does() -> None:
    texts = _texts()

    counted = [(text, graphemes(text)) for text, _ in texts]

    assert len(texts) == 766
    assert counted == texts
