"""What people type and what it means to services: posts, options, and times in a zone.

Pages call it. A field that still shows what the page showed is no change.
"""
