"""Writes the modules of the client that follow from the service's declarations: `make openapi`.

The client is a package of its own, which imports nothing of the service; the service in its turn
ships none of this. `make check` holds what was written against what would be.
"""
