"""How the API is spoken to: one call with its repeats, uploads, and JSON both ways.

`resources` and nobody else makes calls; `transport` is where to begin reading.
"""
