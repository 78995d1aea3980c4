"""What plays EventBridge, SQS and Lambda's polling on this machine for the handlers of `app.py`.

The handlers are found in chalice's own registers; each gets the event that AWS would send.
"""
