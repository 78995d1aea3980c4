"""The sandbox platform's own pages: what test accounts have published, as a person would see it."""
