"""Time, threads and pools of a simulated process, and how the engine gets them."""
