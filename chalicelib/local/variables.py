"""Checks the service's own environment variables at the start: one sentence for each error.

A wrong value ends the start, before a process dies of it again and again. A name that nothing reads
is reported and ignored: other programs may have variables with our prefix. Standard library only.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final
from urllib.parse import urlsplit

from chalicelib.settings import read_platform_settings

_OURS: Final = "GOLDENHOUR_"
_FOR_OTHERS: Final = frozenset(
    {
        "API_KEY",
        "CLIENT_ID",
        "CLIENT_SECRET",
        "COMMAND",
        "CONFIG_ID",
        "URL",
        "ZONE",
    }
)
"""Read by the client, by an operator's command, or given by an installed program."""
_WITHIN: Final = frozenset(
    {
        "BASE_URL",
        "CANARY",
        "MEDIA_BUCKET",
        "NOTICES_SENDER",
        "ORIGIN_SECRET",
        "PARENT_PID",
        "PUBLISH_PLACES",
        "PULL_URL",
        "RECORD_THREADS",
        "RELEASE",
        "RESOURCE_PREFIX",
        "RETRIES_APART",
        "ROW_FORMAT",
        "SECOND_ORIGIN_SECRET",
        "SERVES",
        "STAGE",
    }
)
"""Set by the service for its own processes, or by the template of a stage."""
_OPERATORS: Final = frozenset(
    {
        "ASSISTANT_URL",
        "CALLS_AT_ONCE",
        "CORS_ORIGINS",
        "DATA_DIR",
        "DEMO",
        "HOST",
        "LOGS",
        "METRICS_PORT",
        "OTLP_ENDPOINT",
        "PORT",
        "PUBLIC_URL",
        "SMTP_URL",
        "STACK",
        "SYNC",
        "TRUSTED_ORIGINS",
        "TRUSTED_PROXIES",
        "WORKSPACE_RATE",
    }
)
KNOWN: Final = _FOR_OTHERS | _WITHIN | _OPERATORS
_URL: Final = re.compile(r"([A-Z]+)(?:_[A-Z]+)*_URL")
_HTTP: Final = ("http", "https")
_ADDRESSES: Final[Mapping[str, tuple[tuple[str, ...], str]]] = {
    "PUBLIC_URL": (_HTTP, "https://post.example"),
    "PULL_URL": (_HTTP, "https://post.example"),
    "ASSISTANT_URL": (_HTTP, "https://post.example/mcp"),
    "OTLP_ENDPOINT": (_HTTP, "http://127.0.0.1:4318"),
    "SMTP_URL": (("smtp", "smtps"), "smtps://name:password@mail.example"),
}
_WITHOUT_PATH: Final = frozenset(("PUBLIC_URL",))
_ORIGINS: Final = ("CORS_ORIGINS", "TRUSTED_ORIGINS")
_NUMBERS: Final[Mapping[str, tuple[int, int]]] = {
    "PORT": (1, 65_535),
    "METRICS_PORT": (1, 65_535),
    "CALLS_AT_ONCE": (1, 100_000),
    "WORKSPACE_RATE": (0, 1_000_000),
}
_WORDS: Final[Mapping[str, tuple[str, str]]] = {
    "DEMO": ("on", "off"),
    "LOGS": ("stdout", "files"),
    "SYNC": ("normal", "full"),
}


class WrongVariable(ValueError):
    """A variable has an impossible value; the message says which, in one sentence."""


def require_variables(environment: Mapping[str, str]) -> None:
    """Raise WrongVariable for the first variable with an impossible value; empty is unset.

    The message on a mail server's address does not repeat it: it contains a password.
    """
    said = {
        name.removeprefix(_OURS): text
        for name, text in environment.items()
        if name.startswith(_OURS) and text
    }
    for problem in _problems(said):
        raise WrongVariable(problem)


def untold(environment: Mapping[str, str]) -> list[str]:
    """Return a sentence for each variable with our prefix that nothing reads."""
    return [_unread(name) for name in sorted(environment) if _is_strange(name)]


def _problems(said: Mapping[str, str]) -> Iterator[str]:
    for look in (_wrong_words, _wrong_numbers, _wrong_addresses, _wrong_origins, _wrong_platforms):
        yield from look(said)


def _wrong_words(said: Mapping[str, str]) -> Iterator[str]:
    for name, words in _WORDS.items():
        if said.get(name, words[0]) not in words:
            yield f"{_OURS}{name} is {said[name]!r}: only {' and '.join(words)} exist"


def _wrong_numbers(said: Mapping[str, str]) -> Iterator[str]:
    for name, (least, most) in _NUMBERS.items():
        if name in said and not _is_number(said[name], least, most):
            yield f"{_OURS}{name} is {said[name]!r}: it must be a number from {least} to {most}"
    if said.get("METRICS_PORT") == said.get("PORT", "8000"):
        yield (
            f"{_OURS}METRICS_PORT and {_OURS}PORT are both {said['METRICS_PORT']}: the figures "
            "need a port of their own"
        )


def _wrong_addresses(said: Mapping[str, str]) -> Iterator[str]:
    for name, (schemes, example) in _ADDRESSES.items():
        if name in said and not _is_address(said[name], schemes, name not in _WITHOUT_PATH):
            shown = "no address of a mail server" if name == "SMTP_URL" else repr(said[name])
            end = ", without a path" if name in _WITHOUT_PATH else ""
            yield f"{_OURS}{name} is {shown}: it must look like {example}{end}"


def _wrong_origins(said: Mapping[str, str]) -> Iterator[str]:
    for name in _ORIGINS:
        for origin in said.get(name, "").split(","):
            if not _is_origin(origin.strip(), may_be_any=name == "CORS_ORIGINS"):
                yield f"{_OURS}{name} has {origin!r}: each must look like https://shop.example"


def _wrong_platforms(said: Mapping[str, str]) -> Iterator[str]:
    for name, text in said.items():
        is_platforms = name not in KNOWN and _is_of_platform(name)
        if is_platforms and not _is_address(text, _HTTP, may_have_path=True):
            yield f"{_OURS}{name} is {text!r}: it must look like http://127.0.0.1:2583"


def _is_number(text: str, least: int, most: int) -> bool:
    return text.isascii() and text.isdecimal() and least <= int(text) <= most


def _is_address(text: str, schemes: tuple[str, ...], may_have_path: bool) -> bool:  # noqa: FBT001 - a fact of the address
    try:
        parts = urlsplit(text)
        whole = parts.scheme in schemes and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
    tail = parts.path.strip("/") + parts.query + parts.fragment
    return whole and text.split() == [text] and (may_have_path or not tail)


def _is_origin(text: str, *, may_be_any: bool) -> bool:
    is_any = may_be_any and text == "*"
    return not text or is_any or _is_address(text, _HTTP, may_have_path=False)


def _is_strange(name: str) -> bool:
    ours = name.removeprefix(_OURS)
    if name == ours or ours in KNOWN or _is_of_platform(ours):
        return False
    return not (read_platform_settings({name: "set"}) and name in _settings_of_platforms())


def _settings_of_platforms() -> set[str]:
    from chalicelib.domain.platforms.facts import all_settings  # noqa: PLC0415 - seldom set

    return {setting.variable for setting in all_settings()}


def _is_of_platform(name: str) -> bool:
    """Tell whether a variable is a platform's address, without importing the platform's facts."""
    if (named := _URL.fullmatch(name)) is None:
        return False
    from chalicelib.domain.platforms.platform import Platform  # noqa: PLC0415 - seldom set

    return named[1] in {platform.name.partition("_")[0] for platform in Platform}


def _unread(name: str) -> str:
    from chalicelib.domain.nearest_name import nearest_name  # noqa: PLC0415 - seldom misspelled

    near = nearest_name(name.removeprefix(_OURS), sorted(_OPERATORS))
    meant = f" Is {_OURS}{near} meant?" if near else ""
    return f"Nothing reads {name}.{meant}"
