"""When to post: golden hours, audiences and their zones, and the weekly queue slots.

Services call it. Instants are aware UTC; wall clocks become some by the rule of `local_time.py`.
"""
