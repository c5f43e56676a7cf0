"""Tables written as PDF, HTML, DOCX and text, read back by what people read them with, and cut by splitters
(HALLU_DATA=FOLDER python -m benchmarks.layouts [--tables N] [--screen N]).

A table whose cells are known is rendered, extracted, cut, and read with :mod:`detection.core.evidence.tables`: which cells are
right, wrong, lost. With ``--screen`` the answers of the public rows and their wrong values are judged over the same texts.
"""
