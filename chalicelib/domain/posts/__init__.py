"""A post and its targets: what each verb makes of one, drafting, editing, charging, history.

`verbs.py` says what becomes of a target by where it stands; only `target.py` moves its status. The
engine's progress is on the target, too.
"""
