"""What every table rests on: DynamoDB's own rules, asked of whatever engine the tests run on."""
