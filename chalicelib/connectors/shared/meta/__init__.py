"""What Facebook, Instagram and Threads share: the Graph API, containers, insights and login.

Only protocol knowledge is here; differences are data in the platform's own folder.
"""
