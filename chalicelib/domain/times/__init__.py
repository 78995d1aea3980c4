"""When to post: golden hours, audiences and their zones, and the weekly queue slots."""
