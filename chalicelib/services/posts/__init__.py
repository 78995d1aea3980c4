"""Drafting, editing, scheduling, stopping and reading posts."""
