"""What the app sends, as the standard of HTML has it."""
