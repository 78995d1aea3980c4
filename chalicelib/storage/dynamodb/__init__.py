"""What every table has in common: the chart of keys and indexes, items, transactions, failures.

All other rooms of the storage use it. A key or index that is not in `tables.py` does not exist.
"""
