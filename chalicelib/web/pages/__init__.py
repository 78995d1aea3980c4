"""One file per page or two of the app: each reads a form or a query, calls a service and shows.

`chalicelib/web/routes.py` finds them.
"""
