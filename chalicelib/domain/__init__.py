"""The rules of the service as plain values: no input or output, no clock reads, no AWS.

Everything else imports this room; it imports nothing of ours.
"""
