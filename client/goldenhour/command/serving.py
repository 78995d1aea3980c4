"""`mcp`: serves assistants over the Model Context Protocol."""

from pathlib import Path

import click

from goldenhour.command.session import Session, zone_option


@click.command()
@click.option("--http", "is_http", is_flag=True, help="Streamable HTTP instead of stdio.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Where --http listens.")
@click.option("--port", default=8765, show_default=True, help="Where --http listens.")
@click.option("--allow-publishing", is_flag=True, help="Let it publish, unpublish and delete.")
@click.option(
    "--files",
    "folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The folder whose photos and videos it may upload (default: none).",
)
@click.option("--host-of-files", "hosts", multiple=True, help="Fetch files from this host only.")
@zone_option
@click.pass_obj
def mcp(  # noqa: PLR0913 - a command's options
    session: Session,
    *,
    is_http: bool,
    host: str,
    port: int,
    allow_publishing: bool,
    folder: Path | None,
    hosts: tuple[str, ...],
) -> None:
    """Serve the API to assistants (Model Context Protocol), drafts first.

    On stdio it works with your key. With --http it keeps no key: each request brings its own.
    Without --allow-publishing nothing it does goes out within the next hour.
    """
    if is_http and folder is not None:
        raise click.UsageError(
            "--files opens a folder of this machine, and over --http every key of every workspace"
            " would read it. Assistants there send files by begin_upload: leave --files out."
        )
    try:
        from goldenhour.assistant import serving  # noqa: PLC0415 - an extra, which may be missing
    except ImportError as missing:
        raise click.ClickException(
            f"The MCP server needs an extra ({missing.name}): pip install 'goldenhour[mcp]'"
        ) from missing
    from goldenhour.assistant.guard import Guard  # noqa: PLC0415 - as above
    from goldenhour.assistant.workspace import Workspace  # noqa: PLC0415 - as above

    workspace = Workspace(
        client=serving.caller.get if is_http else lambda: session.client,
        guard=Guard(
            may_publish=allow_publishing, folder=folder, hosts=frozenset(hosts) if hosts else None
        ),
        zone=session.zone,
    )
    server = serving.build(workspace, is_http=is_http)
    if is_http:
        session.note(f"Serving at http://{host}:{port}/mcp; each request brings its own API key.")
        serving.run_http(server, session.address, host=host, port=port)
    else:
        server.run("stdio")
