"""The tiles of the dashboard, a module for each block: from the rows of a scope to figures."""
