"""Who did what: all histories as one list (S12, F13), and events in words.

Others call :mod:`events` (events as people read them) and :mod:`histories` (which histories there are).
"""
