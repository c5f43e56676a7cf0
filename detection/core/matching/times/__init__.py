"""Dates of an answer, and how long something takes, against the dates that the evidence gives."""
