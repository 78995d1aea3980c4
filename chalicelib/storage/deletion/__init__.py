"""How a workspace is taken out of the tables and the bucket: by raw rows, each step safe to repeat.

`services/operator/deletion.py` calls it. Nothing here reads a row as a value, so that one that
nobody can read any more goes like the others. The order leaves what finds a row until it is gone.
"""
