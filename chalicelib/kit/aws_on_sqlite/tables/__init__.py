"""DynamoDB's tables: expressions, rules of rows, indexes, transactions, pages.

`client.py` is what the storage calls. What it does not know is refused, never guessed.
"""
