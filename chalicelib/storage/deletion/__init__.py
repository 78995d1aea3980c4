"""Deletes a workspace from the tables and the bucket: raw rows, each step safe to repeat.

`services/operator/deletion.py` calls it. Rows are never decoded, so that unreadable ones are
deleted, too. The order keeps every row that leads to another one until that is deleted.
"""
