"""What the X connector answers when nobody knows whether a post went out."""
