"""A post and its targets: states, editing, drafting, charging, history, and the engine's progress.

Only `target.py` moves a target's status.
"""
