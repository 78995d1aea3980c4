"""Polls platforms for the metrics of live posts, in batches and within quotas."""
