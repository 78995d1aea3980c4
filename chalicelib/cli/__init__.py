"""The operator's command line: `python -m chalicelib …`, one file per noun.

Prints and parses; everything it does is a service.
"""
