"""Counters kept in line with posts and platforms' answers, and what is read from them."""
