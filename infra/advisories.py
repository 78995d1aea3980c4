"""Asks the public list of advisories (osv.dev) about every package that the lock files pin.

    python -m infra.advisories             # `make check`
    python -m infra.advisories --strict    # before a release

One request for all of them. Where the list cannot be asked, it is unknown whether there are any.
That is told, and stops nobody's work; `--strict` fails then, unless ADVISORIES_UNKNOWN names why
that is accepted this once.
"""

import json
import os
import re
import sys
from pathlib import Path
from urllib.request import Request, urlopen

_LIST = "https://api.osv.dev/v1/querybatch"
_WITHIN_S = 5
DAYS, DAYS_OUT_OF_REACH = 7, 30
"""How soon a package with an advisory is replaced: what callers' bytes reach, and all else."""
DAYS_BETWEEN_UPDATES = 90
"""How old the pins of `make lock` get."""
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


def verdict(lines: list[str] | None, *, why: str, strict: bool, accepted: str) -> tuple[str, int]:
    """Return what to say and the exit status; None for lines means that nobody could be asked."""
    if lines:
        counted = f"{len(lines)} packages with advisories."
        soon = f"Replace each within {DAYS} days, or {DAYS_OUT_OF_REACH} (SECURITY.md)."
        return "\n".join([*lines, counted, soon]), 1
    if lines is not None:
        return "No package has advisories.", 0
    said = f"UNKNOWN whether packages have advisories: {_LIST} could not be asked ({why})."
    if not strict:
        return f"{said} `make check-advisories-strict` fails then.", 0
    if accepted:
        return f"{said} Accepted: {accepted}.", 0
    return f"{said} Ask again with a network, or accept it: ADVISORIES_UNKNOWN='<reason>'.", 2


def ask(pinned: list[Pin]) -> tuple[list[str] | None, str]:
    """Return a line for each package with advisories, or None and why nobody could be asked."""
    request = Request(
        _LIST, json.dumps(asked(pinned)).encode(), {"Content-Type": "application/json"}
    )
    try:
        with urlopen(request, timeout=_WITHIN_S) as answered:  # noqa: S310 - as above
            return told(pinned, json.load(answered)), ""
    except (OSError, ValueError, KeyError) as failure:
        return None, type(failure).__name__


def main() -> None:
    """Ask, and fail if a package has advisories."""
    pinned = pins("\n".join(lock.read_text() for lock in _LOCKS))
    lines, why = ask(pinned)
    accepted = os.environ.get("ADVISORIES_UNKNOWN", "").strip()
    said, status = verdict(lines, why=why, strict="--strict" in sys.argv[1:], accepted=accepted)
    sys.stdout.write(f"{len(pinned)} packages. {said}\n")
    sys.exit(status)


if __name__ == "__main__":
    main()
