"""Files in S3 and their records: uploads, copies for platforms, addresses to fetch them at.

Services and workers call it. A file goes through memory in pieces, never whole.
"""
