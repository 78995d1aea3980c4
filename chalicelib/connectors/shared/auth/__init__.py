"""Signing in to platforms: OAuth, proofs of possession, and tokens that are renewed before use.

Used by every connector and by the operator's `account connect`.
"""
