"""Drafting, editing, scheduling, stopping and reading posts.

The API and the app call it. Whatever changes a post goes through `updates.py`, all or nothing.
"""
