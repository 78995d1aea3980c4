"""Nine o'clock on AWS, calculated: what the real code asks for, and what AWS's own rules let pass.

`counting` runs the real handlers over the embedded engine and counts what a target asks for.
`limits` states AWS's published limits. `nine_oclock` plays them over the counts, event by event;
`partitions` counts writes by key. `report` prints the tables of docs/capacity.md.
"""
