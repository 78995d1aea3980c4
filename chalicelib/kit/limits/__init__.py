"""Limits of how many go on at once, in all and for each owner: threads, an event loop, streams.

`bulkhead` has the rule by which no owner takes all places, and counts who has how many. Use it
alone where a call without a place is refused at once, as services do. Where calls wait for a place,
use one of these over it:

- `thread_places` gives a pool's threads in turn, as the engine's lanes need it. `waiting_calls`
  says whose call is next, `machine_places` how many threads there are, `starts` how many of them
  compute at once.
- `loop_places` are places of one event loop, as the API's doors need it; if none is free, the
  slowest stream gives its place up.

`thread_pool` is a pool that refuses work without a thread instead of losing it, `pace` tells a slow
connection from one that only holds its place, `lately` remembers who was here a while ago, and
`turns` does one piece of work of a key at a time and leaves what is slow to it.
"""
