"""What the proxy of one server adds to every answer (infra/server/Caddyfile)."""

import re
from pathlib import Path


def test_browsers_are_told_to_use_https_with_every_answer_of_the_proxy() -> None:
    """RFC 6797, 6.1: a year at the least, and the hosts under this one too."""
    site = Path("infra/server/Caddyfile").read_text(encoding="utf-8").partition("{$DOMAIN} {")[2]
    (told,) = re.findall(r'header \?Strict-Transport-Security "([^"]*)"', site)

    age, *others = told.split("; ")
    assert int(age.removeprefix("max-age=")) >= 31_536_000
    assert others == ["includeSubDomains"]
