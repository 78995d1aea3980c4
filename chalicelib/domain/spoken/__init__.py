"""Parses what people write into sheets and commands: times, accounts, options, plans' lines.

The client has the same files: `make openapi` writes its copies, `make check` compares them. Unclear
input is refused, never guessed. Nothing here imports the rest of the service.
"""
