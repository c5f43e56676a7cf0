"""Threshold profiles as files, and the gate before one is activated."""
