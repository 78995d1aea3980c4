"""Rows of metrics and counters: what is due to be polled, what is known, what is written.

The metrics worker writes, the summary reads one row a day, however many posts there are.
"""
