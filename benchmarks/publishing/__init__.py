"""How late posts go out, and how many at once: the engine on a whole stack."""
