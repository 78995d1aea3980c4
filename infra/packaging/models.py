"""Leaves out of botocore what no function reads: other services' models, and all documentation.

A new process parses the models of the clients that it makes, and the endpoints of every service in
every region: a third of what a cold start computed.
"""

import gzip
import json
import shutil
from pathlib import Path
from typing import Any

from chalicelib.bootstrap.clients import SERVICES


def trim_models(data: Path) -> None:
    """Trim botocore's folder of models."""
    for folder in data.iterdir():
        if folder.is_dir() and folder.name not in SERVICES:
            shutil.rmtree(folder)
    for model in data.rglob("*.json.gz"):
        described = json.loads(gzip.decompress(model.read_bytes()))
        text = _json(_undocumented(described)).encode()
        model.write_bytes(gzip.compress(text, mtime=0))
    endpoints = data / "endpoints.json"
    endpoints.write_text(_json(_of_services(json.loads(endpoints.read_bytes()))), encoding="utf-8")


def _undocumented(part: Any) -> Any:  # noqa: ANN401 - JSON
    """Return a part of a model with empty texts: botocore asks for some, and reads none.

    A member of that name is no text.
    """
    if isinstance(part, list):
        return [_undocumented(one) for one in part]
    if not isinstance(part, dict):
        return part
    return {
        name: "" if name == "documentation" and isinstance(inner, str) else _undocumented(inner)
        for name, inner in part.items()
    }


def _of_services(endpoints: dict[str, Any]) -> dict[str, Any]:
    """Return the endpoints of every partition, but of these services alone."""
    for partition in endpoints["partitions"]:
        known = partition["services"]
        partition["services"] = {name: known[name] for name in sorted(SERVICES & known.keys())}
    return endpoints


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))
