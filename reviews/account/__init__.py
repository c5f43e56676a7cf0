"""The pages of a person: signing in, how the screens shall look and speak, what the help page says.

Others call :mod:`languages` (which language to speak) alone.
"""
