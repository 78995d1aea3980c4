"""How live posts do: metrics per post, counters per day, the summary, and when to poll again."""
