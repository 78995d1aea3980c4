"""What others wrote and the tests run against: AWS three times over, and Bluesky's own server."""
