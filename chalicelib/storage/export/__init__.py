"""The rows in a workspace's export: the declared kinds, as documents.

`services/operator/export.py` writes them to files. `storage/row_kinds.py` says what is exported.
"""
