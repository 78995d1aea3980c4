"""Files in S3 and their records: uploads, copies for platforms, addresses to fetch them at."""
