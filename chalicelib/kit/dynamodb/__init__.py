"""Rows of DynamoDB over boto3's low-level client: values to rows, one table, several rows at once.

`records` makes rows of dataclasses' declared fields and reads them, `items` spells single values;
`table` reads and writes one table with conditions, `transaction` several rows or none, and both try
again what clashed (`failures`). `throttling` tells the log what was throttled. Names of tables,
keys and attributes are the caller's.

The storage uses it for everything it keeps in tables; its keys are in `storage/tables.py`.
"""
