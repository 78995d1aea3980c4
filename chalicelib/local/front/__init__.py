"""The process that answers HTTP: its program, Granian on an inherited socket, chalice's gateway.

The emulator uses the same socket server; `demo.json` is shown and hidden here.
"""
