"""Writes the client's types of options from the platforms' pages: `make openapi`.

A test of the client holds its types against docs/openapi.json, too.
"""

from collections.abc import Iterable, Iterator

from chalicelib.domain.platforms.facts import FACTS, Golden
from chalicelib.domain.platforms.option import Fields, Option
from chalicelib.domain.platforms.option_rules import (
    Choice,
    Flag,
    Link,
    Many,
    Number,
    OneOrMany,
    Rule,
)
from chalicelib.domain.platforms.platform import Platform

_HEAD = '''"""What each platform lets a target choose, for type checkers.

`{"board": "123"}` is an `Options`. Written by `make openapi` of the service from its declarations,
not by hand.
"""

from collections.abc import Mapping
from typing import Literal, TypedDict'''


def client_options() -> str:
    """Return the module."""
    lines: list[str] = [_HEAD]
    for platform in Platform:
        lines += _classes(platform)
    names = [_class_name(platform) for platform in Platform]
    lines += ["", "", "Options = (", f"    {names[0]}"]
    lines += [*(f"    | {name}" for name in names[1:]), ")"]
    lines += ["", "OPTIONS_OF: Mapping[str, type] = {"]
    lines += [f'    "{platform}": {_class_name(platform)},' for platform in Platform]
    lines += ["}", "", "GOLDEN_PLATFORMS = frozenset(", "    {"]
    lines += [f'        "{one}",' for one in Platform if FACTS[one].golden_hour is not Golden.NEVER]
    lines += ["    }", ")", '"""The platforms whose next golden hour can be asked for."""']
    return "\n".join(lines) + "\n"


def _classes(platform: Platform) -> Iterator[str]:
    """Yield the lines of a platform's type, after those of the objects in it."""
    name, facts = _class_name(platform), FACTS[platform]
    for option in facts.options:
        if option.fields:
            yield from _object(_object_name(name, option), option, facts.name)
    yield from _class(name, f"Options of a target on {facts.name}.", facts.options, name)


def _object(name: str, option: Option, platform: str) -> Iterator[str]:
    """Yield an object's type; what it must have is told by a type below it."""
    about = f"What `{option.name}` on {platform} holds."
    required = [field for field in option.fields if field.is_required]
    others = [field for field in option.fields if not field.is_required]
    if not (required and others):
        yield from _class(name, about, option.fields, name, total="" if required else _PARTLY)
        return
    yield from _class(f"_{name}", f"{about[:-1]} at least.", required, name, total="")
    yield from _class(name, about, others, name, base=f"_{name}")


_PARTLY = ", total=False"


def _class(
    name: str,
    about: str,
    options: Iterable[Option],
    owner: str,
    *,
    base: str = "TypedDict",
    total: str = _PARTLY,
) -> Iterator[str]:
    yield from ("", "", f"class {name}({base}{total}):", f'    """{about}"""', "")
    for option in options:
        yield from _field(option.name, _type(option.rule, _object_name(owner, option)))


def _field(name: str, kind: str) -> Iterator[str]:
    line = f"    {name}: {kind}"
    if len(line) <= _WIDEST:
        yield line
        return
    values = kind.removeprefix("Literal[").removesuffix("]").split(", ")
    yield from (f"    {name}: Literal[", *(f"        {value}," for value in values), "    ]")


_WIDEST = 100


def _type(rule: Rule, object_name: str) -> str:  # noqa: PLR0911 - one line for each rule
    match rule:
        case Flag():
            return "bool"
        case Link():
            return "str | bool"
        case Number(whole=whole):
            return "int" if whole else "float"
        case Choice(values=values):
            quoted = ", ".join(f'"{value}"' for value in values)
            return f"Literal[{quoted}]"
        case Many(of=of):
            return f"list[{_type(of, object_name)}]"
        case OneOrMany(of=of):
            one = _type(of, object_name)
            return f"{one} | list[{one}]"
        case Fields():
            return object_name
        case _:
            return "str"


def _class_name(platform: Platform) -> str:
    return f"{FACTS[platform].name.replace(' ', '')}Options"


def _object_name(owner: str, option: Option) -> str:
    words = "".join(word.capitalize() for word in option.name.split("_"))
    one = words.removesuffix("s") if isinstance(option.rule, Many) else words
    return f"{owner.removesuffix('Options')}{one}"
