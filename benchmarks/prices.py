"""AWS's list prices in us-east-1, in dollars, as of November 2026 from memory: check them first."""

MILLION = 1_000_000
LIST_PRICES = {
    "API Gateway request": 3.50 / MILLION,
    "Lambda request": 0.20 / MILLION,
    "Lambda GB-second": 13.3334 / MILLION,  # arm64; x86_64 is 16.6667
    "DynamoDB read unit": 0.125 / MILLION,
    "DynamoDB write unit": 0.625 / MILLION,
    "S3 write": 5.00 / MILLION,
    "S3 read": 0.40 / MILLION,
    "SQS request": 0.40 / MILLION,
    "KMS request": 3.00 / MILLION,
    "log GB": 0.50,
    "warm write unit, once": 0.00065,
}
