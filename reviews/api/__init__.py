"""The API of answers, stored or judged while the caller waits, and of their reviews."""
