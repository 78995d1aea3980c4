"""Assistants for tests: the mcp package's own client, connected to `goldenhour mcp`."""

import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from command_line import CommandLine
from mcp.client.client import Client as Assistant
from mcp.client.stdio import StdioServerParameters


@asynccontextmanager
async def an_assistant(command: CommandLine, *options: str) -> AsyncIterator[Assistant]:
    """Start `goldenhour mcp` and connect to it on stdio."""
    words = command.words("mcp", *options)
    server = StdioServerParameters(
        command=words[0],
        args=[*words[1:]],
        env=dict(command.whole_environment()),
        cwd=command.folder,
    )
    async with Assistant(server) as assistant:
        yield assistant


async def call(assistant: Assistant, tool: str, **arguments: Any) -> Mapping[str, Any]:  # noqa: ANN401 - as MCP
    """Call a tool that must succeed."""
    result = await assistant.call_tool(tool, arguments)
    assert not result.is_error, result.content
    assert isinstance(result.structured_content, dict)
    return result.structured_content


async def refused(assistant: Assistant, tool: str, **arguments: Any) -> str:  # noqa: ANN401 - as MCP
    """Call a tool that must fail and return what it said."""
    result = await assistant.call_tool(tool, arguments)
    assert result.is_error, result.structured_content
    return str(getattr(result.content[0], "text", ""))


def wait_for(address: str) -> None:
    """Wait until a server answers at an address, whatever it says."""
    ends = time.monotonic() + 240
    while time.monotonic() < ends:
        try:
            httpx2.get(address)
        except httpx2.ConnectError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError(f"Nothing answers at {address}.")
