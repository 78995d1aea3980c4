"""Who is calling, and what a caller may do with connected accounts.

Every request begins in `authentication.py`, which reads key, role and plan anew.
"""
