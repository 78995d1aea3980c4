"""What platforms make of a text: how long it is to each, and what they mark in it.

Patterns that take long to compile are imported when a text is first counted or marked.
"""
