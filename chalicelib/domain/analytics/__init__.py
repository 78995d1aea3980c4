"""How live posts do: metrics per post, counters per day, the summary, and when to poll again.

Sums follow from what was answered alone, so that nothing is counted twice.
"""
