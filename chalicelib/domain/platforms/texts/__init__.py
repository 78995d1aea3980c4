"""How platforms treat a text: its length in their units, and what they mark in it.

Modules whose patterns take long to compile are imported when a text is first counted or marked.
"""
