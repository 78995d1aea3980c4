"""Parsers of hostile bytes: sizes and lengths read from headers by few, bounded reads."""
