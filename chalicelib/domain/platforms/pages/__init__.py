"""One page of facts for each platform, all in the same form, read by everything else.

`facts.py` defines the form. Pages contain only declarations: if a platform needs a rule of its own,
its page names the function.
"""
