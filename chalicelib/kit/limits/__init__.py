"""So many at once in all, so many for each: limits for threads, for an event loop and for streams.

`bounds` is the rule by which nobody takes all places, `waiting_calls` says whose call is next, and
`thread_places` gives a pool's threads by both, of which `machine_places` says how many;
`thread_pool` loses no work that it has no thread for; `loop_places` are places of one event loop,
of which the slowest gives way; `pace` tells a slow line from one that only holds its place.

The engine's lanes use the first three, doors of the API and fetching of files the others.
"""
