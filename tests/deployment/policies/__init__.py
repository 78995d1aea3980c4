"""What each function may do: its policy held against all the calls that it makes."""
