"""Rows of persons: sessions, passkeys, and what members had before there were persons."""
