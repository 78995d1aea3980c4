"""No code names a platform but its page of facts and its connector's folder.

Whatever differs between platforms is a fact: ask `FACTS[platform]`. What names one all the same
stands here with its reason.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform

REPOSITORY = Path(__file__).parents[2]
FOLDERS = {platform.name.lower() for platform in Platform}
AMBIGUOUS = {"x", "threads"}
"""Words that mean other things too: only `Platform.X` and `Platform.THREADS` are told."""

WORDS = sorted(
    {word for one in Platform for word in (str(one), FACTS[one].name.lower())} - AMBIGUOUS
)
NAMED = re.compile(
    "|".join(rf"(?<![a-z]){re.escape(word)}(?![a-z])" for word in WORDS), re.IGNORECASE
)
MAY_NAME_ONE = re.compile(
    "|".join((r"(?-i:Platform\.[A-Z])", *(re.split("[ _]", word)[0] for word in WORDS))),
    re.IGNORECASE,
)
"""What stands in every file that names one; to parse the others takes seconds."""

CREATOR = "TikTok's creator options have an endpoint and errors of their own (SPEC)"
DEMANDED = "sentences that TikTok demands word by word"
EXAMPLE = "an example, which has to name some platform"
ALLOWED: Mapping[str, str] = {
    "chalicelib/domain/platforms/platform.py": "the list of platforms",
    "chalicelib/domain/platforms/texts/top_level_domains.py": "domains of the web",
    "chalicelib/domain/platforms/tiktok.py": CREATOR,
    "chalicelib/domain/platforms/setting.py": "the address of Meta's own page",
    "chalicelib/domain/platforms/tiktok_form.py": DEMANDED,
    "chalicelib/web/templates/look.html": "its captions begin with the name of the account",
    "chalicelib/web/templates/composer/form.html": DEMANDED,
    "chalicelib/web/templates/composer/options.html": DEMANDED,
    "chalicelib/web/templates/composer/tiktok.html": DEMANDED,
    "chalicelib/web/static/composer.css": DEMANDED,
    "chalicelib/domain/errors.py": CREATOR,
    "chalicelib/domain/spoken/choosing.py": "what people call two platforms; the client has it too",
    "chalicelib/api/routes.py": CREATOR,
    "chalicelib/api/openapi/advice.py": CREATOR,
    "chalicelib/api/resources/accounts.py": CREATOR,
    "chalicelib/web/sentences.py": CREATOR,
    "chalicelib/services/workspace/accounts.py": CREATOR,
    "chalicelib/services/workspace/choices.py": CREATOR,
    "chalicelib/services/workspace/creators.py": CREATOR,
    "chalicelib/workers/media/shared_copies.py": CREATOR,
    "chalicelib/connectors/shared/calls/exchanges.py": "headers that carry their names",
    "chalicelib/connectors/shared/calls/platform_words.py": "headers that carry their names",
    "chalicelib/connectors/shared/meta/common_errors.py": "Meta has people sign in there, for all",
    "chalicelib/connectors/shared/meta/login.py": "Pages are signed in to at Facebook, for two",
    "chalicelib/cli/app_credentials.py": "the name of Meta's product for applications",
    "chalicelib/cli/sign_in.py": "the name of Meta's product for applications",
    "chalicelib/api/openapi/llms.txt": EXAMPLE,
    "chalicelib/services/app/demo_week.py": EXAMPLE,
    "infra/smoke.py": EXAMPLE,
}


def test_no_code_names_a_platform_but_for_a_reason() -> None:
    named = {name for name in _files() if any(_names_in(REPOSITORY / name))}

    assert named - set(ALLOWED) == set(), "Ask FACTS[platform], or say here why not."


def test_every_exception_is_one() -> None:
    assert {name for name in ALLOWED if not any(_names_in(REPOSITORY / name))} == set()


def _files() -> Iterator[str]:
    """Yield what is code, but for the platforms' own."""
    for room in ("chalicelib", "infra"):
        for path in sorted((REPOSITORY / room).rglob("*")):
            name = path.relative_to(REPOSITORY)
            is_own = {"connectors", "pages"} & set(name.parts) and FOLDERS & {
                path.stem,
                *name.parts,
            }
            if (
                path.suffix in {".py", ".html", ".txt"}
                and not is_own
                and "static" not in name.parts
            ):
                yield str(name)


def _names_in(path: Path) -> Iterator[str]:
    """Yield the platforms that a file names: as a member, or in a text that is no docstring."""
    text = path.read_text()
    if path.suffix != ".py":
        yield from NAMED.findall(text)
        return
    if not MAY_NAME_ONE.search(text):
        return
    tree = ast.parse(text)
    described = {
        id(line.value)
        for node in ast.walk(tree)
        for line in (node.body if isinstance(getattr(node, "body", None), list) else ())  # type: ignore[attr-defined]  # those that have one
        if isinstance(line, ast.Expr)
    }
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id="Platform"), attr=member) if member.isupper():
                yield member
            case ast.Constant(value=str(words)) if id(node) not in described:
                yield from NAMED.findall(words)
