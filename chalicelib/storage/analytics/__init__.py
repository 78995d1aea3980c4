"""Rows of metrics and counters: polls that are due, known results, and their writes.

The metrics worker writes them; the summary reads one row per day, whatever the number of posts.
"""
