"""How any request of the API is handled: declarations, checks by key, parsing, shapes of answers.

Knows no resource. What the API shares with the app is in `chalicelib/http`.
"""
