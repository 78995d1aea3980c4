"""Files: what they are by their bytes, what platforms demand of them, how a copy is made."""
