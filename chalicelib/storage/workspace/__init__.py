"""Rows of workspaces, members, keys, accounts and their sealed tokens.

Services call it. Every key's row copies what a request needs, so that a key check is one read.
"""
