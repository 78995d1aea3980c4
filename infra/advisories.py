"""Asks the public list of advisories (osv.dev) about every package that the lock files pin.

    python -m infra.advisories        # `make check`

One request for all of them. Where the list cannot be reached it says so, and that is no failure:
nobody's work should stop because a network does.
"""

import json
import re
import sys
from pathlib import Path
from urllib.request import Request, urlopen

_LIST = "https://api.osv.dev/v1/querybatch"
_WITHIN_S = 5
_LOCKS = (Path("requirements.lock"), Path("requirements-dev.lock"))
_PIN = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^]]*\])?==([^ ;\\]+)", re.MULTILINE)

Pin = tuple[str, str]


def pins(locks: str) -> list[Pin]:
    """Return every package that is pinned, each once."""
    return sorted(set(_PIN.findall(locks)))


def asked(pinned: list[Pin]) -> dict[str, object]:
    """Return the question, in the list's own form."""
    return {
        "queries": [
            {"package": {"name": name, "ecosystem": "PyPI"}, "version": version}
            for name, version in pinned
        ]
    }


def told(pinned: list[Pin], answer: dict[str, list[dict[str, list[dict[str, str]]]]]) -> list[str]:
    """Return a line for each package with advisories; answers stand in the questions' order."""
    return [
        f"{name} {version}: {', '.join(one['id'] for one in found['vulns'])}"
        for (name, version), found in zip(pinned, answer["results"], strict=True)
        if found.get("vulns")
    ]


def main() -> None:
    """Ask, and fail if a package has advisories."""
    pinned = pins("\n".join(lock.read_text() for lock in _LOCKS))
    request = Request(
        _LIST, json.dumps(asked(pinned)).encode(), {"Content-Type": "application/json"}
    )
    try:
        with urlopen(request, timeout=_WITHIN_S) as answered:  # noqa: S310 - as above
            lines = told(pinned, json.load(answered))
    except (OSError, ValueError, KeyError) as failure:
        reason = type(failure).__name__
        sys.stdout.write(f"The list of advisories could not be asked ({reason}).\n")
        return
    sys.stdout.write("\n".join([*lines, f"{len(pinned)} packages, {len(lines)} with advisories."]))
    sys.stdout.write("\n")
    sys.exit(1 if lines else 0)


if __name__ == "__main__":
    main()
