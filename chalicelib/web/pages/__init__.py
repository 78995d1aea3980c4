"""The app's pages, one or two a file: each reads a form or query and calls services, then answers.

`chalicelib/web/routes.py` finds them.
"""
