"""Writes the recorded requests: `python -m tests.connectors.recorded`."""

from tests.connectors.recorded.recording import RECORDED, ROOT, recordings

for platform in RECORDED:
    folder = ROOT / platform / "requests"
    folder.mkdir(exist_ok=True)
    for name, text in recordings(platform):
        (folder / name).write_text(text, encoding="utf-8")
