"""The API's operations, one method each, grouped by resource.

`client` makes these; every one of them speaks through `transport`.
"""
