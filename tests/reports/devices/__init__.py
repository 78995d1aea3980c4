"""Files coded as phones, cameras, screen recorders and editors code them, each with its reason."""
