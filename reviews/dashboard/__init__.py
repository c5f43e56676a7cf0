"""The dashboard (S11): what waits, how it flows, how good answers, detectors and reviewers are (review-queue §6).

:mod:`scope` says which rows it is about, :mod:`registry` which tiles there are, :mod:`shown` how they look.
"""
