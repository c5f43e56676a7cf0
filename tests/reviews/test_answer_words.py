"""The answer with the words that name slots of numbers: whatever overlaps, the text and its other marks stay what they are."""

from html.parser import HTMLParser
from types import SimpleNamespace

import pytest
from django.template.loader import render_to_string
from hypothesis import given
from hypothesis import strategies as st

from detection.core.text import mark_spans
from reviews.display.answer_text import SlotName, answer_pieces, slot_names
from reviews.display.claim_rows import ClaimRow
from reviews.display.paragraphs import paragraphs
from reviews.display.slots import Slot

pytestmark = pytest.mark.requirement("APP-03")

TEXTS = st.text(st.sampled_from("ab 5.%$*_#|`<>&\"'[S0]\n\u05d0\u05d1\u51c0🏢"), max_size=40)
PLACES = st.lists(st.tuples(st.integers(-4, 44), st.integers(-4, 44)), max_size=6)
NAMED = st.lists(
    st.tuples(st.integers(-4, 44), st.integers(-4, 44), st.sampled_from(("metric", "period", "<b>")),
        st.sets(st.integers(1, 4), min_size=1)), max_size=8,
)  # fmt: skip


def row(n: int, start: int, end: int) -> ClaimRow:
    return ClaimRow(
        n, n, "number", "", start, end, "contradicted", flagged=True, tone="bad", icon="≠", word="wrong"
    )


class Drawn(HTMLParser):
    """What a browser makes of the answer: each character with the slots and the claim around it; labels, by place."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[tuple[str, dict[str, str | None]]] = []
        self.text, self.around, self.labels = "", [], []  # type: ignore[var-annotated]
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        begun, attrs = self.open.pop()
        assert begun == tag
        if "data-slot-name" in attrs:
            self.labels.append((len(self.text), attrs["data-slot-name"], attrs["data-names-of"]))

    def handle_data(self, data: str) -> None:
        names = {attrs["data-names-of"] for _, attrs in self.open if "data-names-of" in attrs}
        claim = next((attrs["data-claims"] for tag, attrs in self.open if tag == "mark"), "")
        self.text += data
        self.around += [(frozenset(names), claim)] * len(data)


def drawn(text: str, claims: list[ClaimRow], names: list[SlotName], selected: int = 1) -> Drawn:
    lines = paragraphs(answer_pieces(text, claims, set(), 0, names), "ltr", "en")
    page = SimpleNamespace(
        paragraphs=lines,
        selected=SimpleNamespace(id=selected),
        answer_id=1,
        extract=SimpleNamespace(start=0),
    )
    return Drawn(render_to_string("reviews/shared/_answer.html", {"page": page}))


@given(TEXTS, PLACES, NAMED)
def test_any_words_that_name_slots_leave_the_answer_and_its_claims_as_they_are(
    text: str, places: list[tuple[int, int]], named: list[tuple[int, int, str, set[int]]]
) -> None:
    claims = [row(n, start, end) for n, (start, end) in enumerate(places, 1)]
    names = [SlotName(start, end, label, tuple(sorted(ids))) for start, end, label, ids in named]
    plain, marked = drawn(text, claims, []), drawn(text, claims, names)
    assert marked.text == plain.text == text
    assert [claim for _, claim in marked.around] == [claim for _, claim in plain.around]
    for at, (here, _) in enumerate(marked.around):
        assert here == {" ".join(map(str, n.ids)) for n in names if n.start <= at < n.end}
    ended = [(n.end, n.label, " ".join(map(str, n.ids))) for n in names if max(n.start, 0) < n.end <= len(text)]  # fmt: skip
    assert sorted(marked.labels) == sorted(ended)


@given(TEXTS, NAMED)
def test_citation_marks_stay_whole(text: str, named: list[tuple[int, int, str, set[int]]]) -> None:
    names = [SlotName(start, end, label, tuple(ids)) for start, end, label, ids in named]
    cited = [p.text for p in answer_pieces(text, [], set(), 0, names) if p.look == "cite"]
    assert cited == [text[start:end] for start, end in mark_spans(text)]


def test_only_the_words_of_the_selected_claim_show_their_names() -> None:
    names = [SlotName(0, 3, "metric", (1, 2)), SlotName(7, 9, "period", (2,))]
    page = render_to_string(
        "reviews/shared/_answer.html",
        {"page": SimpleNamespace(paragraphs=paragraphs(answer_pieces("NOI in Q3", [], set(), 0, names), "ltr", "en"),
            selected=SimpleNamespace(id=1), answer_id=1, extract=SimpleNamespace(start=0))},
    )  # fmt: skip
    assert '<span class="naming now" data-names-of="1 2" data-slot-name="metric">NOI</span>' in page
    assert '<span class="naming" data-names-of="2" data-slot-name="period">Q3</span>' in page


def test_words_are_placed_in_the_part_of_the_answer_that_is_shown() -> None:
    (piece,) = answer_pieces("NOI rose", [], set(), 100, [SlotName(100, 103, "metric", (1,))])
    assert [(w.text, len(w.names)) for w in piece.words] == [("NOI", 1), (" rose", 0)]


def test_words_that_name_the_same_of_several_claims_stand_once() -> None:
    metric = Slot("metric", "NOI", "", "", at=(0, 3))
    inherited = Slot("period", "Q3 2024", "the question", "")
    assert slot_names([(1, metric), (1, inherited), (2, metric)]) == [SlotName(0, 3, metric.label, (1, 2))]
