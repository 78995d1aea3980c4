"""The recorded requests are those that the connectors make, without a secret in them."""

import pytest

from tests.connectors.recorded.recording import RECORDED, ROOT, recordings


@pytest.mark.parametrize("platform", RECORDED)
def test_the_files_are_what_is_sent(platform: str) -> None:
    """After a change: `python -m tests.connectors.recorded`."""
    kept = {
        file.name: file.read_text(encoding="utf-8")
        for file in (ROOT / platform / "requests").iterdir()
    }

    assert kept == dict(recordings(platform))
