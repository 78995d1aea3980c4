"""So many at once in all, so many for each: limits for threads, for an event loop and for streams.

`bounds` is the rule by which slow servers cannot take all places, `thread_places` gives a pool's
threads by it in turn, and `thread_pool` loses no work that it has no thread for; `loop_places` are
places of one event loop, of which the slowest gives way; `pace` tells a slow line from one that
only holds its place.

The engine's lanes use the first two, doors of the API and fetching of files the others.
"""
