"""The weights of the ranking, fitted by ``benchmarks/training/slot_ranking.py``; log-odds, larger is likelier."""

NONE = 1.183
"""The weight of "no single figure of the sources is what the sentence asks for"."""

WEIGHTS: dict[str, float] = {
    "by_for_change": -1.055,
    "by_for_value": -0.618,
    "chunk_said": 0.894,
    "close_said": 0.896,
    "column_behind": -2.012,
    "column_foreign": -0.681,
    "column_said": -0.033,
    "currency_for_number": -0.336,
    "near_foreign": -2.289,
    "near_said": 1.862,
    "operation_foreign": -1.286,
    "operation_missing": -4.043,
    "percent_for_number": -1.418,
    "row_behind": -1.530,
    "row_foreign": -2.637,
    "row_said": 1.872,
    "section_behind": -1.750,
    "section_foreign": -0.138,
    "section_said": 0.364,
    "sentence_said": 1.356,
    "several_asked": -2.413,
    "several_years": -1.798,
    "text": -1.491,
    "text_year_agrees": 1.012,
    "text_year_conflicts": -0.958,
    "to_for_change": -1.728,
    "total_foreign": 0.388,
    "total_missing": -0.731,
    "unit_unknown": -0.432,
    "year_absent": 0.395,
    "year_agrees": 1.336,
    "year_conflicts": -0.633,
    "year_extra": -1.928,
    "year_older": -0.974,
}
SUPPORT_BASE = 1.217
SUPPORT: dict[str, float] = {
    "ahead": 0.609,
    "behind": 0.629,
    "currency_for_number": -0.538,
    "operation_missing": -2.621,
    "over_none": 0.399,
    "several_asked": -1.018,
    "several_years": -0.752,
    "text": 1.022,
    "tied": -0.800,
}
