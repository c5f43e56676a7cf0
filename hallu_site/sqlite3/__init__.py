"""Django's backend for SQLite, whose migrations lose no trigger."""
