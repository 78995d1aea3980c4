"""DynamoDB, SQS and the platforms in virtual time, with what they do at their worst."""
