"""Polls platforms for the metrics of live posts, in batches and within quotas.

`app.py` runs it every few minutes. A platform's failure is no answer: the last metrics stay.
"""
