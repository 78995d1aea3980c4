"""How live posts do: metrics per post, counters per day, the summary, and when to poll again.

Sums are computed from platforms' answers alone, so that nothing is counted twice.
"""
