"""How any request is handled: declarations, the pipeline of checks, parsing, shapes of errors.

Knows no resource; everything here works on plain bytes and headers.
"""
