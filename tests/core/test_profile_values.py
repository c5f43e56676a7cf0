"""What a profile's values may be, what two profiles differ in, and which differences need a new measurement."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from detection.core.profile_values import FACETS, Difference, differences, faults, to_measure
from detection.core.thresholds import DEFAULTS, form_fields, resolve
from tests.tables import each_case

NUMBERS = [f for f in form_fields() if isinstance(getattr(DEFAULTS, f.name), float)]


@st.composite
def some_values(draw: Any) -> dict[str, Any]:
    """Some thresholds with values within their bounds."""
    chosen = draw(st.lists(st.sampled_from(NUMBERS), unique_by=lambda f: f.name, max_size=4))
    return {f.name: draw(st.floats(f.metadata["low"], f.metadata["high"], allow_nan=False)) for f in chosen}


WHEN = st.fixed_dictionaries({"language": st.sampled_from(["en", "he", "zh"])})
PROFILES = st.fixed_dictionaries(
    {
        "base": some_values(),
        "overrides": st.lists(st.fixed_dictionaries({"when": WHEN, "values": some_values()}), max_size=3),
    }
)


@given(PROFILES)
def test_a_profile_within_bounds_has_no_fault_and_differs_in_nothing_from_itself(values: Any) -> None:
    assert faults(values) == []
    assert differences(values, "govil", values, "govil") == []


@given(PROFILES, PROFILES)
def test_profiles_without_a_difference_decide_alike(old: Any, new: Any) -> None:
    if not differences(old, "govil", new, "govil"):
        for language in ("en", "he", "zh", None):
            assert resolve(old, {"language": language}) == resolve(new, {"language": language})


@given(PROFILES, PROFILES)
def test_seen_from_the_other_side_old_and_new_change_places(old: Any, new: Any) -> None:
    there = differences(old, "govil", new, "pythea")
    back = differences(new, "pythea", old, "govil")
    assert {(d.name, d.when, d.old, d.new) for d in map(_plain, there)} == {
        (d.name, d.when, d.new, d.old) for d in map(_plain, back)
    }


def _plain(found: Difference) -> Difference:
    return Difference(found.name, found.when, repr(found.old), repr(found.new))


@each_case(
    ("values", "said"),
    [
        ([], "Give an object with base and overrides."),
        ({"bases": {}}, "bases: give base and overrides, nothing else."),
        ({"base": []}, "base: give thresholds with their values."),
        ({"base": {"unheard_of": 1}}, "unheard_of: there is no such threshold."),
        ({"base": {"overlap": float("nan")}}, "overlap: give a number from 0 to 1."),
        ({"base": {"overlap": True}}, "overlap: give a number from 0 to 1."),
        ({"overrides": 5}, "overrides: give a list."),
        ({"overrides": [{}]}, "override 1: give when and values."),
        (
            {"overrides": [{"when": {}, "values": {}}]},
            f"override 1: when: say for which {', '.join(FACETS)}.",
        ),
        (
            {"overrides": [{"when": {"weather": "rain"}, "values": {}}]},
            f"override 1: weather: overrides apply to {', '.join(FACETS)}.",
        ),
        (
            {"overrides": [{"when": {"language": False}, "values": {}}]},
            "override 1: language: give a text.",
        ),
        (
            {"overrides": [{"when": {"source_quality": "fine"}, "values": {}}]},
            "override 1: source_quality: give high or low.",
        ),
        (
            {"overrides": [{"when": {"language": "he"}, "values": {"overlap": 2}}]},
            "override 1: overlap: give a number from 0 to 1.",
        ),
    ],
)
def test_a_fault_says_what_is_wrong_and_where(values: Any, said: str) -> None:
    assert [str(fault) for fault in faults(values)] == [said]


def test_every_fault_is_named_at_once() -> None:
    wrong = {
        "base": {"overlap": 7, "nothing": 1},
        "overrides": [{"when": {"weather": "x"}, "values": {"overlap": 9}}],
    }
    assert len(faults(wrong)) == 4


def test_the_order_of_overrides_for_one_answer_is_a_difference() -> None:
    hebrew = {"when": {"language": "he"}, "values": {"overlap": 0.1}}
    oak = {"when": {"property": "OAK"}, "values": {"overlap": 0.9}}
    found = differences({"overrides": [hebrew, oak]}, "govil", {"overrides": [oak, hebrew]}, "govil")
    assert found == [Difference("overrides", "", "language=he; property=OAK", "property=OAK; language=he")]


@each_case("declared", form_fields(), ids=lambda declared: declared.name)
def test_only_what_is_read_or_measured_needs_a_run_of_its_own(declared: Any) -> None:
    default, meta = getattr(DEFAULTS, declared.name), declared.metadata
    other = (
        not default
        if isinstance(default, bool)
        else (meta["high"] if default != meta["high"] else meta["low"])
        if isinstance(default, int | float)
        else None
    )
    if other is None:
        return
    needed = to_measure(DEFAULTS, DEFAULTS.changed(**{declared.name: other}))
    assert needed == (() if meta["phase"] == "decide" else (declared.name,))
