"""Versions of the thresholds (F23): drafts, the gate before activation, the watch after it, shadows.

Others call :mod:`tuners` (who may), :mod:`gates` (may this be activated) and :mod:`changes` (what it changed).
"""
