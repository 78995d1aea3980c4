"""A key's text: its form, its checksum, what is stored of it."""

import re
import zlib

import pytest

from chalicelib.domain.workspace.key_form import key_hash, key_of, looks_like_key, make_key


def test_a_new_key_has_the_form_of_the_contract() -> None:
    key = make_key()

    assert re.fullmatch(r"gh_live_[0-9A-Za-z]{46}", key)
    assert looks_like_key(key)


def test_the_checksum_is_crc_32_in_base_62_most_significant_first() -> None:
    alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    key = make_key()

    value = 0
    for character in key[-6:]:
        value = value * 62 + alphabet.index(character)

    assert value == zlib.crc32(key[:-6].encode())


def test_one_secret_makes_one_key_and_another_another() -> None:
    secret = b"\7" * 64

    assert key_of(secret) == key_of(secret)
    assert looks_like_key(key_of(secret))
    assert key_of(secret) != key_of(secret[:-1] + b"\6")


def test_new_keys_differ() -> None:
    keys = {make_key() for _ in range(100)}

    assert len(keys) == 100


@pytest.mark.parametrize("place", range(8, 54))
def test_a_key_with_one_wrong_character_is_refused(place: int) -> None:
    key = make_key()
    wrong = "B" if key[place] == "A" else "A"

    mistyped = key[:place] + wrong + key[place + 1 :]

    assert not looks_like_key(mistyped)


@pytest.mark.parametrize(
    "text",
    ["", "gh_live_", "gh_live_" + "A" * 45, "gh_live_" + "A" * 47, "gh_test_" + "A" * 46, "é" * 54],
    ids=["nothing", "prefix only", "short", "long", "other prefix", "not ASCII"],
)
def test_what_has_not_the_form_is_no_key(text: str) -> None:
    assert not looks_like_key(text)


@pytest.mark.parametrize("around", ["{}\n", " {}", "{} "], ids=["newline", "before", "after"])
def test_a_key_with_space_around_it_is_no_key(around: str) -> None:
    key = make_key()

    assert not looks_like_key(around.format(key))


def test_what_is_stored_does_not_show_the_key() -> None:
    key = make_key()

    stored = key_hash(key)

    assert re.fullmatch("[0-9a-f]{64}", stored)
    assert key[8:] not in stored
