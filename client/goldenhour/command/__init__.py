"""The command `goldenhour`: the API for people at a shell, and for scripts (`--json`).

`main` holds the list of commands. Each module here has those of one subject.
"""
