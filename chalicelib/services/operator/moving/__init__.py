"""Moving a workspace to another deployment: from one server to a stage, between stages, and back.

`workspace move` calls `Move`; docs/moving.md says what comes along and what ends. One side at a
time publishes, and the same command goes on after an interruption at any step.
"""
