"""Which Chromium the tests drive."""

import shutil

import pytest

_WHOLE = ("chromium", "chromium-browser")
_PROGRAMS = ("chromium-headless-shell", *_WHOLE)
"""The first is the same engine without tabs and menus, at half the processor's time."""


def found_chromium(*, whole: bool = False) -> str:
    """Return a program, or the whole browser that people have; skip the test where it is not."""
    for name in _WHOLE if whole else _PROGRAMS:
        if program := shutil.which(name):
            return program
    missing = "chromium" if whole else "chromium-headless-shell"
    pytest.skip(f"Chromium is not here: apt-get install {missing}.")
