"""Which stages there are, and what one may be called: its name stands in those of its resources."""

import json
import re
from typing import Final

import click

from chalicelib.settings import LOCAL
from infra.packaging.libraries import PROJECT

_LONGEST: Final = 63 - len("goldenhour--media-") - len("111122223333")
"""What is left of the name of a bucket (S3 guide, "General purpose bucket naming rules")."""
_NAMES: Final = re.compile(rf"[a-z0-9][a-z0-9-]{{0,{_LONGEST - 1}}}")


def require_stage(stage: str) -> None:
    """Raise ClickException unless the configuration has the stage, by a name that works."""
    known = json.loads((PROJECT / ".chalice" / "config.json").read_text(encoding="utf-8"))["stages"]
    if stage not in known:
        stages = ", ".join(sorted(known))
        raise click.ClickException(
            f"There is no stage {stage!r} in .chalice/config.json: {stages}."
        )
    if (why := find_flaw(stage)) is not None:
        raise click.ClickException(why)


def find_flaw(name: str) -> str | None:
    """Return why no stage can have a name, or None: CloudFormation would say so minutes later."""
    if name == LOCAL:
        return f"A stage {name} would take itself for a stack on one machine: name it otherwise."
    if _NAMES.fullmatch(name) is None:
        return (
            f"No stage can be named {name}, since its bucket is named after it: at most {_LONGEST} "
            "small letters, digits and hyphens."
        )
    return None
