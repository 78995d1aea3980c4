"""Translates form input into values for services: posts, options, and times in a zone.

Pages call it. A field with the same value as the page showed is no change.
"""
