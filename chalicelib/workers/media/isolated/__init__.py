"""Conversion in a process of its own: what reads hostile bytes holds no key, no file, no network.

`converting` calls `converter`, which starts `child` for each file; the two talk by `wire`.
"""
