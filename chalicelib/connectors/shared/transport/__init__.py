"""One call to a platform: bodies, deadlines, what an answer or its absence proves, error tables.

The only place that uses an HTTP client.
"""
