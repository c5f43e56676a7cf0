"""Figures of record: from the API, from files and from workbooks."""
