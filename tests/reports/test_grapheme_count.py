"""A Bengali caption was counted too short: the check said ready, Bluesky refused the post."""

import json
import random
import subprocess
from unicodedata import category

import pytest

from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.platforms.texts.captions import count

# Unicode 15.1 and later, UAX #29, rule GB9c, with the signs of its GraphemeBreakTest.
JOINED = ("\u0915\u094d\u0924", "\u0915\u094d\u094d\u0924", "\u0915\u094d\u200d\u0924")
APART = ("\u0985\u09cd\u09af", "a\u094d\u0924", "?\u094d\u0924", "\u094d\u0924")
SIGNS = "\u0915\u0924\u0995\u09af\u0985\u0905\u0d15\u0d05\u094d\u09cd\u0d4d\u093c\u09be\u200da?\n "
COUNTER = """
const parts = new Intl.Segmenter()
const texts = JSON.parse(process.argv[1])
console.log(JSON.stringify(texts.map((text) => [...parts.segment(text)].length)))
"""


def test_a_hundred_bengali_apps_count_four_hundred() -> None:
    """Bluesky's own counter (graphemeLen of @atproto) says 400, not 300."""
    assert count(Platform.BLUESKY, "\u0985\u09cd\u09af\u09be\u09aa " * 100) == 400


@pytest.mark.parametrize("text", JOINED)
def test_a_consonant_joins_a_virama_that_follows_a_consonant(text: str) -> None:
    """UAX #29, GB9c."""
    assert count(Platform.BLUESKY, text) == 1


@pytest.mark.parametrize("text", APART)
@pytest.mark.parametrize("platform", [Platform.BLUESKY, Platform.THREADS])
def test_a_consonant_stands_alone_after_any_other_virama(platform: Platform, text: str) -> None:
    """UAX #29: GB9c joins consonants only, so GB999 parts these."""
    assert count(platform, text) == 2


def test_a_long_run_of_viramas_is_counted_in_time() -> None:
    """The project's own promise: no caption keeps a worker busy."""
    assert count(Platform.BLUESKY, "\u09cd" * 3_000) == 1


@pytest.mark.node
def test_3_000_mixed_texts_count_as_they_do_for_bluesky_s_own_counter() -> None:
    """ICU's Intl.Segmenter of Node.js, which @atproto's graphemeLen asks where it is there."""
    chance = random.Random(20261125)
    mixed = ["".join(chance.choices(SIGNS, k=chance.randrange(1, 12))) for _ in range(3_000)]
    texts = [*JOINED, *APART, *mixed]

    theirs = _lengths(texts)

    assert theirs == [count(Platform.BLUESKY, text) for text in texts]


@pytest.mark.node
@pytest.mark.parametrize("seed", range(4))
def test_texts_of_every_script_count_as_they_do_for_icu(seed: int) -> None:
    """UAX #29 by ICU's Intl.Segmenter: letters, marks, emoji, joiners, Hangul and flags."""
    chance = random.Random(seed)
    blocks = [
        *(range(0x20, 0x7F), range(0xA0, 0x370), range(0x590, 0x700), range(0x900, 0xE00)),
        *(range(0xE00, 0x1000), range(0x1100, 0x1200), range(0x1780, 0x1800)),
        *(range(0x200B, 0x2070), range(0x2600, 0x27C0), range(0x3040, 0x3100)),
        *(range(0xAC00, 0xAC80), range(0xFE00, 0xFE10), range(0x1F1E6, 0x1F200)),
        *(range(0x1F300, 0x1F650), range(0xE0020, 0xE0080)),
    ]
    # Of signs that Unicode does not have yet, newer tables know what older ones do not.
    scripts = [[chr(code) for code in block if category(chr(code)) != "Cn"] for block in blocks]
    texts = [
        "".join(chance.choice(chance.choice(scripts)) for _ in range(chance.randrange(1, 15)))
        for _ in range(2_000)
    ]

    assert _lengths(texts) == [count(Platform.BLUESKY, text) for text in texts]


def _lengths(texts: list[str]) -> list[int]:
    done = subprocess.run(
        ["node", "--input-type=module", "--eval", COUNTER, json.dumps(texts)],
        capture_output=True,
        check=True,
        timeout=240,
    )
    lengths: list[int] = json.loads(done.stdout)
    return lengths
