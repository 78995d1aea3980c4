"""Workspaces, members, keys, accounts and plans: who may do what, and how much of it."""
