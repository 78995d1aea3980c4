"""Libraries that know nothing of posts: each could be taken out and used in another program.

A kit imports no room of this house and, but for `dataclass`, `json_value` and `base64url`, which
are one file each and pure, no other kit; whatever it needs of a room it is given. `make check`
enforces it.
"""
