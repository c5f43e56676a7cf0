"""Django's compilers for PostgreSQL, but for rows that are inserted together.

Django hands their columns over as arrays, in which Python escapes every quotation mark of every JSON text. As values of rows
libpq escapes them: for the claims and measurements of an answer that is a tenth of the time.
"""

from django.db.backends.postgresql.compiler import (
    SQLAggregateCompiler,
    SQLCompiler,
    SQLDeleteCompiler,
    SQLUpdateCompiler,
)
from django.db.models.sql.compiler import SQLInsertCompiler

__all__ = [
    "SQLAggregateCompiler",
    "SQLCompiler",
    "SQLDeleteCompiler",
    "SQLInsertCompiler",
    "SQLUpdateCompiler",
]
