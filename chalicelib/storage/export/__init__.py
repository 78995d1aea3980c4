"""What an export of a workspace holds of the tables: the declared kinds of rows, as documents.

`services/operator/export.py` writes them to files. `storage/row_kinds.py` says what is exported.
"""
