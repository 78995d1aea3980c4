"""Rows of workspaces, members, keys, accounts and their sealed tokens."""
