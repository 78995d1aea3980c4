"""What Facebook, Instagram and Threads share: the Graph API, containers, insights and login.

Only protocol knowledge stands here; what differs is data in the platform's own folder.
"""
