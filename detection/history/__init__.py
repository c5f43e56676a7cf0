"""Whether histories are as they were written: chains, heads that were pushed out, triggers, and what rows say beside them.

:mod:`detection.history.chains` walks, :mod:`detection.history.heads` pushes out and compares, :mod:`detection.history.guards`
reads triggers. What a history tells of its subject says the caller, who knows all kinds.
"""
