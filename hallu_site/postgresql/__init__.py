"""Django's backend for PostgreSQL, whose connections wait for an answer only so long."""
