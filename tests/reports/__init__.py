"""What people reported about programs that do this job, one file a kind; each must stay right."""
