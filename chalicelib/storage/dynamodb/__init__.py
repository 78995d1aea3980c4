"""What every table has in common: the chart of keys and indexes, items, reads, transactions."""
