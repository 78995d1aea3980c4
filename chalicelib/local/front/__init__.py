"""The process that answers HTTP: its program, Granian on an inherited socket, chalice's gateway.

`demo.json` is shown and hidden here.
"""
