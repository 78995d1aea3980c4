"""Workspaces, members, keys, accounts and plans: who may do what, and how much of it.

All other folders use it. A key may do what both its scopes and its member's role allow; a plan's
counters are conditions of writes.
"""
