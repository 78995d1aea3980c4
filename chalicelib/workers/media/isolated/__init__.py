"""Conversion in a child process: the code that reads hostile bytes has no keys, files or network.

`converting` calls `converter`, which starts `child` for each file; they communicate by `wire`.
"""
