"""Posts with their targets: read whole, listed, changed in one transaction with what they use."""
