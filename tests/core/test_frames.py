"""What was read of chunks is stored exactly, found again by everything it depends on, and read once."""

import json
from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detection.core import claims, evidence
from detection.core.context import Context
from detection.core.evidence import Evidence, chunked, remembered
from detection.core.evidence.facts import Fact, Grid
from detection.core.evidence.frames import Frames, Outline, Recent, pack, pack_outline, unpack, unpack_outline
from detection.core.evidence.labels import Axis, Label
from detection.core.evidence.prose import of_prose
from detection.core.evidence.tables import Shape
from detection.core.matching import numeric
from detection.core.periods import Calendar
from detection.core.types import Case, NumberMeasured, Period, Source, never
from tests.core.reading import CORPUS, HELD, described, reading

TABLE = "| $ thousand | Q3 | Q2 |\n|---|---|---|\n| Net operating income | 1,235 | 1,174 |"


class Kept:
    """A store in memory that counts what it is asked."""

    def __init__(self) -> None:
        self.rows: dict[str, bytes] = {}
        self.asked = self.written = 0

    def known(self, keys: Sequence[str]) -> Mapping[str, bytes]:
        self.asked += 1
        return {key: self.rows[key] for key in keys if key in self.rows}

    def keep(self, read: Mapping[str, bytes]) -> None:
        self.written += 1
        self.rows |= read


@pytest.fixture(autouse=True)
def _nothing_remembered() -> None:
    remembered.clear()


def read(sources: Sequence[Source], store: Kept, asked: Period | None = None) -> Evidence:
    """The evidence as a process finds it that has just started."""
    remembered.clear()
    return evidence.read(Case("", sources=tuple(sources), period=asked), never, store)


def quarter(number: int, year: int = 2024) -> Period:
    return Period(
        number, "OAK", f"Q{number} {year}", date(year, number * 3 - 2, 1), date(year, number * 3, 28)
    )


def test_the_reader_has_a_new_version_when_it_reads_otherwise() -> None:
    held = json.loads(HELD.read_text())
    assert held == reading(), (
        "Chunks are read otherwise than by the reader of this version: raise READER in "
        "detection/core/evidence/frames.py, so that nobody meets what the older one has stored, then run "
        "python -m tests.core.reading"
    )


def test_what_is_stored_reads_as_what_was_read() -> None:
    store = Kept()
    sources = [Source(f"S{n}", text) for n, text in enumerate(CORPUS)]
    fresh = described(read(sources, store))
    assert described(read(sources, store)) == fresh
    assert fresh


decimals = st.decimals(allow_nan=False, allow_infinity=False)
spans = st.none() | st.tuples(st.dates(), st.dates())


@given(
    st.builds(
        Fact,
        st.sampled_from(["currency", "percentage", "ratio", "number", "date"]),
        st.none() | decimals, decimals, st.text(), st.tuples(st.integers(-1, 0), st.integers(-1, 0)), spans, st.text(),
        st.text(), spans, st.text(), st.just("S0"), st.integers(0, 10**6), st.integers(0, 10**6), st.none(), st.booleans(),
        st.booleans(), st.text(), st.text(), st.text(), st.text(), st.frozensets(st.text()),
        basis=st.frozensets(st.text()), party=st.frozensets(st.text()),
    ),
    st.text(),
    st.lists(st.frozensets(st.text(min_size=1), min_size=1)),
)  # fmt: skip
def test_any_fact_comes_back_as_it_was(fact: Fact, text: str, forms: list[frozenset[str]]) -> None:
    label = Label(text, tuple(forms))
    grid = Grid(
        "table S0", (Axis("row", [label], 0.5), Axis("column", ())), [fact], Calendar(9), scale=Decimal(1000)
    )
    stored = pack(Frames((grid,), (), (fact,), 3, ("why",)), ["S0"])
    back = unpack(stored, ["other"], Calendar(9))
    (found,) = back.tables
    assert (*found.facts, *back.dates) == (_of("other", fact),) * 2
    assert [str(one.value) for one in found.facts] == [str(fact.value)]
    assert (found.axes[0].labels, found.axes[0].least, found.scale) == ((label,), 0.5, Decimal(1000))
    assert (found.calendar, back.headed, back.unreadable) == (Calendar(9), 3, ("why",))


def _of(ref: str, fact: Fact) -> Fact:
    return Fact(**{name: getattr(fact, name) for name in Fact.__slots__} | {"source": ref})


@given(
    st.none() | st.integers(1, 12),
    st.none() | st.sampled_from([Decimal(1000), Decimal(1_000_000)]),
    st.dictionaries(st.integers(0, 9), st.lists(st.text()).map(tuple)),
    st.lists(st.text()).map(tuple),
    st.booleans(),
)
def test_any_outline_comes_back_as_it_was(
    month: int | None,
    scale: Decimal | None,
    heads: dict[int, tuple[str, ...]],
    texts: tuple[str, ...],
    leans: bool,
) -> None:
    outline = Outline(month, scale, (Shape(heads, 3, 2, texts, texts[:1]),), leans)
    assert unpack_outline(pack_outline(outline)) == outline


def test_a_known_chunk_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    store = Kept()
    sources = [Source("S0", "NOI was $1,234 in Q3 2024."), Source("S1", TABLE)]
    fresh = described(read(sources, store))
    for name in ("detection.core.evidence.chunked.of_prose", "detection.core.evidence.chunked.grids_in"):
        monkeypatch.setattr(name, lambda *_: pytest.fail("read again"))
    assert described(read(sources, store)) == fresh


def test_a_chunk_is_known_under_another_id_and_among_others() -> None:
    store = Kept()
    read([Source("S0", "NOI was $1,234 in Q3 2024.")], store)
    rows = len(store.rows)
    found = read([Source("a", "The lobby was painted."), Source("b", "NOI was $1,234 in Q3 2024.")], store)
    assert [grid.source for grid in found.grids] == ["b"]
    assert len(store.rows) == rows + 2  # of the chunk that is new, its outline and its frames


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ([Source("S0", "NOI was $1,234.", title="Q3 2024")], [Source("S0", "NOI was $1,234.", title="Q2 2024")]),
        (
            [Source("S0", "Revenue of FY2024 was $5.")],
            [Source("S0", "Revenue of FY2024 was $5."), Source("S1", "The fiscal year ends on June 30.")],
        ),
        (
            [Source("S1", "| Rent | 5 | 6 |\n| Parking | 7 | 8 |", title="Roll, part 2")],
            [
                Source("S0", "| | 2024 | 2023 |\n|---|---|---|\n| Other | 1 | 2 |", title="Roll, part 1"),
                Source("S1", "| Rent | 5 | 6 |\n| Parking | 7 | 8 |", title="Roll, part 2"),
            ],
        ),
        (
            [Source("S0", "| | 2024 |\n|---|---|\n| Rent | $5 |\n| Parking | $6 |")],
            [
                Source("S0", "| | 2024 |\n|---|---|\n| Rent | $5 |\n| Parking | $6 |"),
                Source("S1", "as follows (in thousands):"),
            ],
        ),
    ],
    ids=["its title", "a year's end that another states", "headings of the chunk before", "a scale in brackets"],
)  # fmt: skip
def test_what_a_chunk_is_read_under_is_part_of_its_key(first: list[Source], second: list[Source]) -> None:
    store, apart = Kept(), Kept()
    read(first, store)
    assert described(read(second, store)) == described(read(second, apart))
    assert described(read(first, store)) != described(read(second, store))


def test_a_quarter_without_its_year_is_read_for_each_period_that_is_asked_for() -> None:
    store = Kept()
    spans = {
        year: {
            fact.span
            for grid in read([Source("S0", TABLE)], store, quarter(3, year)).grids
            for fact in grid.facts
        }
        for year in (2023, 2024, 2023)
    }
    assert {span[0].year for span in spans[2023] if span} == {2023}
    assert {span[0].year for span in spans[2024] if span} == {2024}


def test_a_whole_table_serves_every_period_that_is_asked_for() -> None:
    store = Kept()
    source = Source("S0", TABLE.replace("Q3", "Q3 2024").replace("Q2", "Q2 2024"))
    read([source], store, quarter(3))
    rows = len(store.rows)
    read([source], store, quarter(1))
    assert len(store.rows) == rows


def test_a_store_is_asked_as_often_for_many_chunks_as_for_one() -> None:
    counts = set()
    for many in (1, 10, 200):
        store = Kept()
        sources = [Source(f"S{n}", f"NOI of tower {n} was ${n},234.") for n in range(many)]
        read(sources, store)
        first = store.asked, store.written
        read(sources, store)
        counts.add((first, (store.asked, store.written)))
    assert counts == {((2, 1), (4, 1))}


def test_what_was_read_before_the_time_was_over_is_kept_and_gone_on_from() -> None:
    sources = tuple(Source(f"S{n}", f"NOI of tower {n} was ${n},234.") for n in range(40))
    store, runs = Kept(), 0
    done = 0
    while done < len(sources):
        left = [9]

        def over(left: list[int] = left) -> bool:
            left[0] -= 1
            return left[0] < 0

        remembered.clear()
        found = evidence.read(Case("", sources=sources), over, store)
        done, runs = found.read, runs + 1
        assert found.timed_out == (done < len(sources))
        assert runs < 30
    assert runs > 2


def test_an_end_in_the_middle_keeps_what_was_read(monkeypatch: pytest.MonkeyPatch) -> None:
    store = Kept()
    sources = [Source(f"S{n}", f"NOI of tower {n} was ${n},234.") for n in range(5)]

    def ended(source: Source, *more: object) -> object:
        if source.ref == "S3":
            raise TimeoutError
        return of_prose(source, *more)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(chunked, "of_prose", ended)
        with pytest.raises(TimeoutError):
            read(sources, store)
    assert len(store.rows) == 5 + 3  # all outlines, and the frames of three


def test_a_number_is_judged_alike_by_stored_frames() -> None:
    store = Kept()
    sources = tuple(Source(f"S{n}", text) for n, text in enumerate(CORPUS))
    case = Case("NOI was $1,235 thousand in Q3 2024 and occupancy 94.2% [S0].", sources=sources)
    read_claims = claims.read(case)
    found = []
    for _ in range(2):
        remembered.clear()
        found.append(numeric.measure(Context(case, read_claims, frames=store)))
    assert found[0] == found[1]


def test_what_is_remembered_has_a_bound() -> None:
    recent = Recent(100, len)
    for n in range(50):
        recent.put(n, "12345")
    recent.put("large", "x" * 50)
    kept = [n for n in range(50) if recent.get(n)]
    assert kept == list(range(50 - len(kept), 50))
    assert 10 <= len(kept) <= 100 / 6
    assert recent.get("large") is None


def towers(count: int) -> tuple[Source, ...]:
    return tuple(Source(f"S{n}", f"NOI of tower {n} was ${n},234.") for n in range(count))


def told_of(answer: str, sources: tuple[Source, ...]) -> NumberMeasured:
    """What is measured of the one amount of an answer."""
    case = Case(answer, sources=sources)
    (number,) = (
        one
        for one in numeric.measure(Context(case, claims.read(case))).claims.values()
        if one.kind == "currency"
    )
    return number


@pytest.mark.parametrize(
    ("answer", "holding"),
    [
        ("NOI of tower 299 was $299,234.", "S299"),  # its digits
        ("NOI of tower 280 was about $280,000 [S280].", "S280"),  # cited
        ("NOI of tower 275 was $275.2 thousand.", "S275"),  # rounded
    ],
)
def test_of_very_many_sources_the_nearest_are_compared(answer: str, holding: str) -> None:
    number = told_of(answer, towers(3000))
    assert holding in [one.source for one in number.candidates if one.equal]
    assert not number.timed_out


def test_a_number_rounds_up_to_the_digits_of_its_source() -> None:
    sources = (*towers(200), Source("S", "Revenue of the harbour was $14,785,300."))
    assert told_of("Revenue of the harbour was $14.8 million.", sources).candidates[0].source == "S"


def test_a_source_is_read_with_the_headings_before_it() -> None:
    head = Source("H", "(in thousands)\n\n| | 2024 | 2023 |\n|---|---|---|", parent_ref="D")
    rows = Source("R", "| Revenue | 83,417 | 79,902 |", parent_ref="D")
    number = told_of("Revenue was $83,417 thousand in 2024.", (*towers(100), head, rows))
    assert [one.source for one in number.candidates if one.equal] == ["R"]


def test_sources_that_hold_the_digits_and_were_not_compared_are_told() -> None:
    sources = tuple(Source(f"S{n}", f"Rent of suite {n} is $4,517.") for n in range(100))
    number = told_of("Rent of suite 3 is $4,517.", sources)
    assert (number.sources_read, number.sources_left) == (32, 68)
    assert told_of("Rent of suite 3 is $9,333.", sources).sources_left == 0  # no digits to be seen
