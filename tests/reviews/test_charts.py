"""Charts are images with a name, without inline style, and their places are the figures they show."""

import re
from xml.etree import ElementTree

import pytest

from reviews.display.charts import (
    Bar,
    Bin,
    Point,
    Series,
    bars,
    lines,
    matrix,
    reliability,
    sparkline,
    stacked,
)
from tests.tables import each_case

HOSTILE = '<script>"&'
CHARTS = {
    "bars": lambda title: bars([Bar(title, 0.4, 0.3, 0.5, "40 %"), Bar("b", 0.2)], title),
    "no bars": lambda title: bars([], title),
    "stacked": lambda title: stacked(
        [Bin(0, 0.5, 3, 1), Bin(0.5, 1, 0, 2)], title, names=(title, "wrong"), mark=0.7
    ),
    "nothing stacked": lambda title: stacked([], title),
    "lines": lambda title: lines(
        [Series(title, [(0, 1.0), (1, None), (2, 3.0)], [(0, 0.5, 1.5), (2, 2.0, 4.0)])], title, marks=[1]
    ),
    "a line of one point": lambda title: lines([Series("one", [(5, 5.0)])], title),
    "no lines": lambda title: lines([Series("none", [(0, float("nan"))])], title),
    "sparkline": lambda title: sparkline([1, None, 3, 3], title),
    "no sparkline": lambda title: sparkline([None], title),
    "reliability": lambda title: reliability(
        [Point(0.8, 0.7, 0.5, 0.9, 40), Point(0.2, 0, 0, 0.4, 4)], title
    ),
    "matrix": lambda title: matrix([(title, [4, 1]), ("no", [0, 3])], title, columns=["yes", "no"]),
    "no matrix": lambda title: matrix([], title),
}


def drawn(svg: str, tag: str, **wanted: str) -> list[ElementTree.Element]:
    """The elements of a chart with this tag and these attributes."""
    found = ElementTree.fromstring(svg).iter(tag)  # noqa: S314 - made a line above
    return [each for each in found if wanted.items() <= each.attrib.items()]


@each_case("kind", CHARTS)
def test_a_chart_is_a_named_image_without_inline_style_and_escapes_what_it_is_given(kind: str) -> None:
    svg = CHARTS[kind](HOSTILE)
    image = ElementTree.fromstring(svg)  # noqa: S314 - made a line above
    assert image.attrib["role"] == "img"
    assert [each.text for each in image.findall("title")] == [HOSTILE]
    assert not re.search(r"\sstyle=|<script|nan|inf", svg.replace("&lt;script", ""))


def test_the_longest_bar_fills_the_plot_and_the_others_are_in_proportion() -> None:
    svg = bars([Bar("a", 8), Bar("b", 2)], "t")
    assert [float(each.attrib["width"]) for each in drawn(svg, "rect")] == [200, 50]


def test_a_histogram_stacks_the_second_series_on_the_first() -> None:
    svg = stacked([Bin(0, 1, 3, 1)], "t")
    below, above = drawn(svg, "rect", **{"class": "fill one"}), drawn(svg, "rect", **{"class": "dotted"})
    assert float(above[0].attrib["y"]) + float(above[0].attrib["height"]) == float(below[0].attrib["y"])
    assert float(below[0].attrib["height"]) == pytest.approx(3 * float(above[0].attrib["height"]), abs=0.2)


def test_two_histograms_of_a_page_have_patterns_of_their_own() -> None:
    patterns = [
        drawn(stacked([Bin(0, 1, 1, 1)], title), "pattern")[0].attrib["id"] for title in ("left", "right")
    ]
    assert len(set(patterns)) == 2


def test_a_missing_point_breaks_the_line() -> None:
    path = drawn(
        lines([Series("s", [(0, 1.0), (1, None), (2, 2.0), (3, 3.0)])], "t"), "path", **{"class": "line one"}
    )
    assert re.sub(r"[^ML]", "", path[0].attrib["d"]) == "MML"


def test_the_series_of_a_chart_have_classes_of_their_own() -> None:
    svg = lines([Series("a", [(0, 1.0)]), Series("b", [(0, 2.0)])], "t")
    assert drawn(svg, "path", **{"class": "line one"})
    assert drawn(svg, "path", **{"class": "line two"})


def test_a_point_with_fewer_than_ten_answers_is_hollow() -> None:
    svg = reliability([Point(0.5, 0.5, 0.4, 0.6, 9), Point(0.5, 0.5, 0.4, 0.6, 10)], "t")
    assert [each.attrib["class"] for each in drawn(svg, "circle")] == ["hollow", "fill one"]


def test_the_counts_of_a_matrix_stand_in_its_cells() -> None:
    svg = matrix([("yes", [40, 7]), ("no", [0, 3])], "t", columns=["yes", "no"])
    assert [each.text for each in drawn(svg, "text")] == ["yes", "no", "yes", "no", "40", "7", "0", "3"]
