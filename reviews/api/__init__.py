"""The API of answers and their reviews."""
