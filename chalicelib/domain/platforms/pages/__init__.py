"""One page of facts per platform: what is true of it, in one form, read by everything else.

`facts.py` says what stands on a page. A page does no work: where a platform needs a rule of its
own, the page names the function.
"""
