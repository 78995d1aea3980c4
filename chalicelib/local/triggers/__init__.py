"""Takes the part of EventBridge, SQS and Lambda's polling for the handlers of `app.py`.

The handlers are found in chalice's own registries; each gets the event that AWS would send.
"""
