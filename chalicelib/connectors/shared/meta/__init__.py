"""What Facebook, Instagram and Threads share: the Graph API, containers, insights and login."""
