"""Targets as the engine sees them: the wake index, claims, outcomes, wake queue and switch.

Workers call it. Every write of a worker names its lease's token and the version that it read.
"""
