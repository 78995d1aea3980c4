"""Workspaces, members, keys, accounts and plans: who may do what, and how much of it.

Everybody reads it. A key works with scope and role; a plan's counters are conditions of writes.
"""
