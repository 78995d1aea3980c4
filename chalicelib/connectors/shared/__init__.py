"""What connectors have in common: calls, sign-ins, reconciliation, previews, refusals ahead.

Nothing here knows one platform; `meta` and `auth/google.py` are protocols that several speak.
"""
