"""What YouTube and Google Business Profile share: Google's sign-in and the shape of its errors."""
