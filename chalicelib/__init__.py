"""goldenhour, a social post scheduling API: rooms whose imports point from the edges to `domain`.

`docs/architecture.md` draws them and the two trips through them; `make check` enforces directions.
"""
