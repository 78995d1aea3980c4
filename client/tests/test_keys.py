"""A key never stands in what is printed, raised or answered, however it is spelled.

A public complaint: a key read from a file with its line end came back whole in the error.
"""

import json
import traceback
from dataclasses import replace

import pytest
from answering import Answering
from assistants import an_assistant, refused
from command_line import CommandLine
from stack import Stack

from goldenhour import Client

SECRET = "s3cr3tS3CR3Ts3cr3tS3CR3Ts3cr3tS3CR3Ts3cr3t"
AROUND = ["\n", "\r\n", " ", "\t", "\ufeff"]
WITHIN = ["\n", "\r\nX-Evil: 1\r\n", " ", "\x00", "é", "…", "\u200b", "🔑"]


@pytest.mark.parametrize("around", AROUND, ids=ascii)
def test_spaces_and_line_ends_around_a_key_are_no_part_of_it(
    answering: Answering, around: str
) -> None:
    answering.will(200, {})

    with Client(answering.base_url, f"{around}gh_live_{SECRET}{around}") as client:
        client.openapi()

    assert answering.received[0].headers["Authorization"] == f"Bearer gh_live_{SECRET}"


@pytest.mark.parametrize("within", WITHIN, ids=ascii)
def test_a_key_with_anything_else_in_it_is_refused_without_being_shown(
    answering: Answering, within: str
) -> None:
    with pytest.raises(ValueError, match="Copy the key again") as refusal:
        Client(answering.base_url, f"gh_live_{within}{SECRET}")

    told = "".join(traceback.format_exception(refusal.value))
    assert SECRET not in told
    assert [] == answering.received


def test_a_key_that_is_given_for_an_address_is_not_shown() -> None:
    for address in (f"gh_live_{SECRET}", f"http://gh_live_{SECRET}"):
        with pytest.raises(ValueError, match="https") as refusal:
            Client(address, "gh_live_key")
        assert SECRET.lower() not in str(refusal.value).lower()


@pytest.mark.parametrize("as_json", [(), ("--json",)], ids=["words", "json"])
def test_the_command_shows_no_key(command: CommandLine, as_json: tuple[str, ...]) -> None:
    broken = replace(
        command,
        environment={**command.environment, "GOLDENHOUR_API_KEY": f"gh_live_\n{SECRET}"},
    )
    mistaken = replace(
        command, environment={**command.environment, "GOLDENHOUR_URL": f"gh_live_{SECRET}"}
    )

    ended = [
        broken("accounts", *as_json),
        broken("post", "--caption", "Bread", "--to", "x", *as_json),
        mistaken("accounts", *as_json),
        command(
            "login", "--url", command.environment["GOLDENHOUR_URL"], "--key-stdin", *as_json,
            typed=f"gh_live_é{SECRET}\n",
        ),
        command(f"gh_live_{SECRET}"),
        command("accounts", f"--gh_live_{SECRET}"),
    ]  # fmt: skip

    assert [1, 1, 1, 1, 2, 2] == [each.status for each in ended]
    assert not any(SECRET in each.out + each.err for each in ended)


def test_a_key_with_its_line_end_signs_in(command: CommandLine, stack: Stack) -> None:
    from_a_file = replace(
        command,
        environment={**command.environment, "GOLDENHOUR_API_KEY": f"{stack.api_key}\r\n"},
    )

    assert 11 == len(json.loads(from_a_file("accounts", "--json").out)["data"])


@pytest.mark.anyio
async def test_an_assistant_on_stdio_is_told_of_a_broken_key_without_it(
    command: CommandLine,
) -> None:
    broken = {**command.environment, "GOLDENHOUR_API_KEY": f"gh_live_\n{SECRET}"}

    async with an_assistant(replace(command, environment=broken)) as assistant:
        told = await refused(assistant, "list_accounts")

    assert "Copy the key again" in told
    assert SECRET not in told
