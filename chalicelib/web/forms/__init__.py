"""What people type and what it means to services: posts, options, and times in a zone."""
