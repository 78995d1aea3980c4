"""The machine-readable description of the API, made from the endpoints' declarations, and its page.

`python -m chalicelib.api` prints it; docs/openapi.json is that output.
"""
