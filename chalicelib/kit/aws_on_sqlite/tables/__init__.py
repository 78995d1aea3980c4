"""DynamoDB's tables: expressions, rules of rows, indexes, transactions, pages.

`client.py` is what the storage calls. Unknown parameters and expressions are refused, never
guessed.
"""
