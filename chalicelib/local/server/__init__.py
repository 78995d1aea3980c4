"""The embedded stack as one small server: its commands, its backups (docs/server.md).

`python -m chalicelib` adds the commands to the operator's.
"""
