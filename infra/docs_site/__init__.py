"""`docs/` as a site with search: `make docs` builds it, and one machine serves it at `/docs`.

`properdocs.yml` has its pages in their order. ProperDocs (BSD-2-Clause) makes it; nothing in it
comes from another host, and no script stands in a page, so it works offline and under a strict
policy.
"""
