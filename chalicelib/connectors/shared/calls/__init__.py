"""Calls to platforms over `kit/transport`: where they answer, how they refuse, what people may see.

Connectors make their calls with `http.PlatformHttp` and name a platform's own codes in a table.
"""
