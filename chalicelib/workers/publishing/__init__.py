"""Publishes one target: claim, prepare, step, outcome.

An irreversible step is saved as in doubt before it is made.
"""
