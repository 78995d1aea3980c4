"""Deliberate breaks of the engine, each of which something must notice.

`engine.py` lists them; `make prove` makes each alone in a copy of the package and runs what is to
notice it.
"""
