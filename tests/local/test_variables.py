"""What the environment may say: a wrong value ends the start, a name that nothing reads is told."""

import dataclasses
import importlib
import pkgutil
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

import chalicelib.connectors
from chalicelib.local.options import Options, WrongOptions
from chalicelib.local.server.commands import server_environment
from chalicelib.local.variables import KNOWN, untold
from tests.local.running_stack import PROJECT, Stack, eventually

_NUMBER = "it must be a number from {} to {}"
_WRITTEN = re.compile(r"GOLDENHOUR_([A-Z]+(?:_[A-Z]+)*)")


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("GOLDENHOUR_PORT", "http", _NUMBER.format(1, 65535)),
        ("GOLDENHOUR_PORT", "٨٠٠٠", _NUMBER.format(1, 65535)),
        ("GOLDENHOUR_METRICS_PORT", "on", _NUMBER.format(1, 65535)),
        ("GOLDENHOUR_METRICS_PORT", "99999", _NUMBER.format(1, 65535)),
        ("GOLDENHOUR_CALLS_AT_ONCE", "many", _NUMBER.format(1, 100000)),
        ("GOLDENHOUR_CALLS_AT_ONCE", "0", _NUMBER.format(1, 100000)),
        ("GOLDENHOUR_CALLS_AT_ONCE", "-3", _NUMBER.format(1, 100000)),
        ("GOLDENHOUR_WORKSPACE_RATE", "a lot", _NUMBER.format(0, 1000000)),
        ("GOLDENHOUR_SYNC", "Full", "only normal and full exist"),
        ("GOLDENHOUR_DEMO", "no", "only on and off exist"),
        ("GOLDENHOUR_LOGS", "syslog", "only stdout and files exist"),
        ("GOLDENHOUR_PUBLIC_URL", "post.example", "it must look like https://post.example"),
        ("GOLDENHOUR_PUBLIC_URL", "ftp://post.example", "it must look like https://post.example"),
        ("GOLDENHOUR_PUBLIC_URL", "https://post.example/gh", "without a path"),
        ("GOLDENHOUR_PUBLIC_URL", '"https://post.example"', "without a path"),
        ("GOLDENHOUR_PUBLIC_URL", "https://post.example:443x", "without a path"),
        ("GOLDENHOUR_PUBLIC_URL", "https://post.example https://b.example", "without a path"),
        ("GOLDENHOUR_ASSISTANT_URL", "post.example/mcp", "like https://post.example/mcp"),
        ("GOLDENHOUR_OTLP_ENDPOINT", "127.0.0.1:4318", "like http://127.0.0.1:4318"),
        ("GOLDENHOUR_BLUESKY_VIDEO_URL", "localhost", "like http://127.0.0.1:2583"),
    ],
)
def test_a_value_that_cannot_work_ends_the_start_with_one_sentence(
    name: str, text: str, told: str
) -> None:
    with pytest.raises(WrongOptions) as ended:
        Options.from_environment({name: text})

    assert str(ended.value).startswith(f"{name} is {text!r}: ")
    assert told in str(ended.value)
    assert "\n" not in str(ended.value)


@pytest.mark.parametrize(
    "text", ["mail.example:25", "smtps://ada:s3cret@", "smtp://ada:s3cret@a:b"]
)
def test_a_wrong_address_of_a_mail_server_is_told_without_its_password(text: str) -> None:
    with pytest.raises(WrongOptions) as ended:
        Options.from_environment({"GOLDENHOUR_SMTP_URL": text})

    assert "smtps://name:password@mail.example" in str(ended.value)
    assert text not in str(ended.value)
    assert "s3cret" not in str(ended.value)


@pytest.mark.parametrize(
    ("name", "text", "wrong"),
    [
        ("GOLDENHOUR_CORS_ORIGINS", "shop.example", "shop.example"),
        ("GOLDENHOUR_CORS_ORIGINS", "https://a.example, b.example", " b.example"),
        ("GOLDENHOUR_CORS_ORIGINS", "https://a.example/shop", "https://a.example/shop"),
        ("GOLDENHOUR_CORS_ORIGINS", "https://*.example https://b.example", None),
        ("GOLDENHOUR_TRUSTED_ORIGINS", "127.0.0.1:2583", "127.0.0.1:2583"),
        ("GOLDENHOUR_TRUSTED_ORIGINS", "*", "*"),
    ],
)
def test_an_origin_that_no_browser_sends_ends_the_start(
    name: str, text: str, wrong: str | None
) -> None:
    """A browser's `Origin` is a scheme, a host and a port (RFC 6454, 6.2)."""
    with pytest.raises(WrongOptions) as ended:
        Options.from_environment({name: text})

    assert str(ended.value).startswith(f"{name} has {wrong or text!r}: ")


def test_figures_have_a_port_of_their_own() -> None:
    with pytest.raises(WrongOptions, match="are both 8000"):
        Options.from_environment({"GOLDENHOUR_METRICS_PORT": "8000"})


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("GOLDENHOUR_PUBLIC_URL", "https://post.example/"),
        ("GOLDENHOUR_CORS_ORIGINS", "*"),
        ("GOLDENHOUR_CORS_ORIGINS", "https://a.example/, http://localhost:3000,"),
        ("GOLDENHOUR_TRUSTED_ORIGINS", "http://127.0.0.1:2583"),
        ("GOLDENHOUR_PUBLIC_URL", "http://[::1]:8000"),
        ("GOLDENHOUR_ASSISTANT_URL", "https://post.example/mcp"),
        (
            "GOLDENHOUR_SMTP_URL",
            "smtps://ada%40example.com:a%2Fb@mail.example?from=posts@a.example",
        ),
        ("GOLDENHOUR_OTLP_ENDPOINT", "https://collector.example/otlp"),
        ("GOLDENHOUR_X_URL", "http://127.0.0.1:9000/x"),
        ("GOLDENHOUR_WORKSPACE_RATE", "0"),
    ],
)
def test_what_can_work_is_taken(name: str, text: str) -> None:
    assert Options.from_environment({name: text}).port == 8000


def test_an_empty_variable_says_nothing() -> None:
    empty = {f"GOLDENHOUR_{name}": "" for name in KNOWN}

    assert Options.from_environment({}) == Options.from_environment(empty)
    assert [] == untold(empty)


def test_an_empty_variable_takes_no_safety_from_a_server() -> None:
    named = server_environment({"GOLDENHOUR_SYNC": "", "GOLDENHOUR_LOGS": ""}, with_demo=False)

    assert Options.from_environment(named).synced
    assert named["GOLDENHOUR_LOGS"] == "stdout"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("GOLDENHOUR_PUBLIC_ULR", " Is GOLDENHOUR_PUBLIC_URL meant?"),
        ("GOLDENHOUR_SMPT_URL", " Is GOLDENHOUR_SMTP_URL meant?"),
        ("GOLDENHOUR_DATADIR", " Is GOLDENHOUR_DATA_DIR meant?"),
        ("GOLDENHOUR_TRUSTED_PROXY", " Is GOLDENHOUR_TRUSTED_PROXIES meant?"),
        ("GOLDENHOUR_MASTODON_URL", ""),
    ],
)
def test_a_name_that_nothing_reads_is_told_with_the_one_that_is_meant(name: str, told: str) -> None:
    said = untold({name: "1", "PATH": "/bin", "GOLDENHOUR_X_WEB_URL": "http://127.0.0.1:1"})

    assert [f"Nothing reads {name}.{told}"] == said


def test_every_variable_that_the_code_reads_is_known() -> None:
    prefixes = {"PUBLIC"}

    read = {
        name
        for folder in (PROJECT / "chalicelib", PROJECT / "client" / "goldenhour")
        for file in folder.rglob("*.py")
        for name in _WRITTEN.findall(file.read_text("utf-8"))
    }

    assert [] == untold({f"GOLDENHOUR_{name}": "" for name in read - prefixes})


def test_every_address_of_a_platform_can_be_set() -> None:
    names = {each.name.upper() for kind in _hosts() for each in dataclasses.fields(kind)}

    addresses = {name for name in names if not name.endswith("VERSION")}

    assert [] == untold({f"GOLDENHOUR_{name}_URL": "" for name in addresses})
    assert "BLUESKY_VIDEO" in addresses


def _hosts() -> Iterator[type]:
    """Yield what each connector declares of its platform's addresses; what it shares has no own."""
    rooms = chalicelib.connectors
    for found in pkgutil.walk_packages(rooms.__path__, f"{rooms.__name__}."):
        if ".shared" in found.name:
            continue
        module = importlib.import_module(found.name)
        for name, kind in vars(module).items():
            if name.endswith("Hosts") and kind.__module__ == found.name:
                yield kind


@pytest.mark.costly
def test_posts_go_out_where_the_port_of_the_figures_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        stack = Stack(
            tmp_path, "chalicelib.local.wiring", GOLDENHOUR_METRICS_PORT=port, GOLDENHOUR_LOGS=""
        )

        stack.start()
        log = tmp_path / "triggers.log"
        eventually(lambda: '"action": "tick"' in log.read_text(), within_s=30)
        stack.end()

    assert '"action": "figures.unserved"' in log.read_text()
