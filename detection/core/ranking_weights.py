"""The weights of the ranking, fitted by ``benchmarks/training/slot_ranking.py``; log-odds, larger is likelier."""

NONE = 1.167
"""The weight of "no single figure of the sources is what the sentence asks for"."""

WEIGHTS: dict[str, float] = {
    "by_for_change": -0.842,
    "by_for_value": -0.497,
    "chunk_said": 0.890,
    "close_said": 0.723,
    "column_behind": -2.013,
    "column_foreign": -0.679,
    "column_said": -0.024,
    "currency_for_number": -0.439,
    "near_foreign": -2.321,
    "near_said": 1.695,
    "operation_foreign": -1.333,
    "operation_missing": -4.017,
    "percent_for_number": -1.347,
    "row_behind": -1.539,
    "row_foreign": -2.620,
    "row_said": 1.852,
    "section_behind": -1.752,
    "section_foreign": -0.136,
    "section_said": 0.342,
    "sentence_said": 1.367,
    "several_asked": -2.452,
    "several_years": -1.786,
    "text": -1.546,
    "text_year_agrees": 0.969,
    "text_year_conflicts": -1.008,
    "to_for_change": -1.689,
    "to_for_value": 0.815,
    "total_foreign": 0.417,
    "total_missing": -0.732,
    "unit_unknown": -0.375,
    "year_absent": 0.415,
    "year_agrees": 1.349,
    "year_conflicts": -0.631,
    "year_extra": -1.930,
    "year_older": -0.969,
}
SUPPORT_BASE = 1.225
SUPPORT: dict[str, float] = {
    "ahead": 0.561,
    "behind": 0.588,
    "currency_for_number": -0.699,
    "operation_missing": -2.501,
    "over_none": 0.433,
    "several_asked": -1.040,
    "several_years": -0.708,
    "text": 1.017,
    "tied": -0.668,
}
