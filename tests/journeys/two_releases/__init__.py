"""Two releases over the same rows and queues, each in processes of its own."""
