"""The only place that constructs adapters and wires services and workers from the settings.

Called by `app.py`, the command line and the local stack.
"""
