"""Libraries that know nothing of posts: each could be used in another program.

A kit imports no other folder of chalicelib, and no other kit except those of one file, such as
`dataclass` and `json_value`. `make check` enforces it.
"""
