"""A port for a server that cannot be handed a socket."""

import socket


def free_port() -> int:
    """Return a loopback port that nobody listens on; somebody else may take it first."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port
