"""When to post: golden hours, audiences and their zones, and the weekly queue slots.

Services call it. Instants are aware UTC; `local_time.py` knows hours that clocks skip or repeat.
"""
