"""A Model Context Protocol server: the API as tools for assistants, drafts first.

`serving` starts it, `reading` and `sending` are its tools, `guard` decides what an assistant may
do. Needs the extra `goldenhour[mcp]`.
"""
