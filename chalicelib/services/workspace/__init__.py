"""Who is calling, and what a caller may do with connected accounts."""
