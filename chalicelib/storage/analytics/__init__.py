"""Rows of metrics and counters: what is due to be polled, what is known, what is written."""
