"""A backup: one file with the database as it was at one moment, and what must be there again when it is restored."""
