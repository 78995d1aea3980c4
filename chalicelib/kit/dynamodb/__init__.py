"""Rows of DynamoDB over botocore's client: values to rows, one table, several rows at once.

`records` converts dataclasses to rows and back, `items` single values. `table` reads and writes one
table under conditions, `transaction` writes several rows or none and retries clashes with others
(`failures`). `throttling` logs throttled calls. Callers give the names of tables, keys and
attributes.

`storage` uses it for everything in tables; its keys are in `storage/tables.py`.
"""
