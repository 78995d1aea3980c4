"""HTTPS calls of which one knows afterwards whether they were sent, over requests and urllib3.

`deadline` bounds a call in all and notes whether a byte was written; so a failure is NotSentError
or UnansweredError (`failures`), never a guess. `fence` asks before the first byte whether the call
may still go. `bodies` are what a call carries, files read while they are sent; `responses` what
came back, read without trust. `guarded` fetches addresses that strangers chose, only from public
hosts by `network_rules`.

Connectors call platforms through it (`connectors/shared/calls`), and files and pages that people
give an address of are fetched with it.
"""
