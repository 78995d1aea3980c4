"""Assistants for tests: the mcp package's own client, connected to `goldenhour mcp`."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

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
