"""Posts with their targets: read whole, listed, changed in one transaction with allowances.

Services call it. A post's status is derived from its targets; the stored one serves lists only.
"""
