"""Calibration (S10): how reliable confidences are, maps fitted to verdicts, and whether figures drift.

Others call :mod:`reliability` (bins, ECE, Brier) and the API :mod:`figures` and :mod:`serializers`.
"""
