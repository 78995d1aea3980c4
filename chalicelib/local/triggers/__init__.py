"""What plays EventBridge, SQS and Lambda's polling on this machine for the handlers of `app.py`."""
