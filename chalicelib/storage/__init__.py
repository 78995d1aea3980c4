"""DynamoDB, S3, SQS and KMS: one method per question, named after it. Services and workers call it.

A pattern that is not in the chart of `tables.py` does not exist.
"""
