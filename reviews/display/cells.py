"""Cells of a CSV file that no spreadsheet takes for a formula."""

FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a spreadsheet may take for the beginning of a formula or of a new cell."""


def plain(text: str) -> str:
    """``text`` with an apostrophe before it where a spreadsheet would reckon instead of show, after spaces too."""
    return f"'{text}" if text.lstrip(" ").startswith(FORMULAS) else text
