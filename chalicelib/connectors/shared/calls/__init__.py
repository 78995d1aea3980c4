"""Calls to platforms over `kit/transport`: addresses, errors, and what people may see of calls.

Connectors make their calls with `http.PlatformHttp` and name a platform's own codes in a table.
"""
