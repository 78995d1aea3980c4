"""Writes fields.json: what Meta's own Python client lets its calls carry, read from its source.

    make meta-fields

The client (facebook-business, made by Meta from its description) is installed in an environment of
its own, and read as text: nothing of it runs, and nothing of ours depends on it.
"""

import ast
import json
import sys
from pathlib import Path

CALLS = {
    "iguser": ("create_media", "create_media_publish"),
    "page": ("create_feed", "create_photo", "create_photo_story", "create_video_reel"),
    "pagepost": ("create_comment",),
    "advideo": ("create_thumbnail",),
}
METRICS = ("instagraminsightsresult", "Metric")


def fields_of(folder: Path, version: str) -> dict[str, object]:
    """Return the parameters of each call, and the metrics, by name."""
    calls = {
        f"{module}.{call}": _parameters(folder, module, call)
        for module, named in CALLS.items()
        for call in named
    }
    return {"facebook-business": version, "calls": calls, "metrics": _metrics(folder)}


def _parameters(folder: Path, module: str, call: str) -> list[str]:
    for node in ast.walk(_tree(folder, module)):
        if isinstance(node, ast.FunctionDef) and node.name == call:
            return sorted(_keys_of(node, "param_types"))
    raise SystemExit(f"{module}.{call} is gone: look what Meta calls it now.")


def _keys_of(function: ast.FunctionDef, name: str) -> list[str]:
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=[ast.Name(id=found)], value=ast.Dict(keys=keys)) if (
                found == name
            ):
                return [str(key.value) for key in keys if isinstance(key, ast.Constant)]
    return []


def _metrics(folder: Path) -> list[str]:
    module, wanted = METRICS
    for node in ast.walk(_tree(folder, module)):
        if isinstance(node, ast.ClassDef) and node.name == wanted:
            return sorted(
                str(line.value.value)
                for line in node.body
                if isinstance(line, ast.Assign) and isinstance(line.value, ast.Constant)
            )
    raise SystemExit(f"{module}.{wanted} is gone: look what Meta calls it now.")


def _tree(folder: Path, module: str) -> ast.Module:
    return ast.parse((folder / f"{module}.py").read_text(encoding="utf-8"))


if __name__ == "__main__":
    found = fields_of(Path(sys.argv[1]), sys.argv[2])
    sys.stdout.write(json.dumps(found, indent=1) + "\n")
