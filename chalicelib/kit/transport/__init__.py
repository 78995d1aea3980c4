"""HTTPS calls after which it is known whether they were sent, over requests and urllib3.

`deadline` limits a whole call and notes whether it was connected, so that a failure is NotSentError
or UnansweredError (`failures`) for certain. `fence` decides before the first byte whether the call
may still be sent. `bodies` are request bodies, with files read while they are sent; `responses` are
answers, read without trust. `guarded` fetches addresses that strangers chose, only from public
hosts (`network_rules`).

Connectors call platforms through it (`connectors/shared/calls`), and it fetches files and pages
whose address people give.
"""
