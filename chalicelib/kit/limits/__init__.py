"""So many at once in all, so many for each: limits for threads, for an event loop and for streams.

`bulkhead` is the rule by which nobody takes all places, and counts who has them. Who asks it and is
refused at once needs nothing else; two doors let others wait for a place: `thread_places` gives a
pool's threads in turn (`waiting_calls` says whose call is next, `machine_places` how many threads
there are, `starts` how many of them compute at once), and `loop_places` are places of one event
loop, of which the slowest gives way. `thread_pool` loses no work that it has no thread for, and
keeps no thread that has none; `pace` tells a slow line from one that only holds its place, and
`lately` who was here a while ago.

The engine's lanes use the first door, those of the API the second; services ask the bulkhead.
"""
