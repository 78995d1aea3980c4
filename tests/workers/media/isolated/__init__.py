"""Conversion in a process of its own."""
