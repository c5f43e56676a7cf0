"""The words of three languages: the same keys, found by their own trees, none with two meanings that exclude each other."""

import tomllib
from collections import Counter
from pathlib import Path

import pytest
import regex

from detection.core import lexicons
from detection.core.lexicons import LANGUAGES, SKIP, Names, Words

HERE = Path(lexicons.__file__).parent
EXCLUSIVE = (
    "directions", "bounds", "polarity", "multiples", "roles", "date_roles", "per", "units", "order",
    "aggregations", "months", "scales", "numbers",
    "currencies", "periods", "qualifiers", "basis", "deductions",
)  # fmt: skip
SCRIPTS = {
    "en": regex.compile(r"[\p{Hebrew}\p{Han}]"),
    "he": regex.compile(r"\p{Han}"),
    "zh": regex.compile(r"\p{Hebrew}"),
}


def read(language: str) -> dict[str, dict[str, list[str]]]:
    return tomllib.loads((HERE / f"{language}.toml").read_text(encoding="utf-8"))


ALL = {language: read(language) for language in LANGUAGES}


@pytest.mark.parametrize("language", ["he", "zh"])
def test_the_languages_have_the_same_keys(language: str) -> None:
    english, other = ALL["en"], ALL[language]
    assert list(english) == list(other)
    for name, keys in english.items():
        assert set(keys) == set(other[name]), name


def test_every_metric_is_a_concept_and_has_a_name_in_each_language() -> None:
    names = set(ALL["en"]["metrics"]) - {SKIP}
    assert set(lexicons.concepts()) == names
    assert {concept.kind for concept in lexicons.concepts().values()} <= {
        "currency", "percentage", "ratio", "number", "date"
    }  # fmt: skip
    assert {concept.favourable for concept in lexicons.concepts().values()} == {"up", "down", ""}
    assert {concept.sign for concept in lexicons.concepts().values()} == {"positive", "either", "magnitude"}
    for language in LANGUAGES:
        assert [name for name in names if not ALL[language]["metrics"][name]] == []


def test_a_list_is_empty_only_where_a_comment_says_why() -> None:
    for language in LANGUAGES:
        for line in (HERE / f"{language}.toml").read_text(encoding="utf-8").splitlines():
            if "[]" in line:
                assert regex.search(r"= \[\]  # \S", line), (language, line)
                assert "not filled" not in line, (language, line)


@pytest.mark.parametrize("language", LANGUAGES)
def test_phrases_are_written_as_texts_are_read(language: str) -> None:
    for name, keys in ALL[language].items():
        for key, listed in keys.items():
            place = f"{language} {name}.{key}"
            assert [p for p in listed if p != p.strip().lower()] == [], place
            assert [p for p in listed if p[0] in "/-–+" or not Words(p).words] == [], (
                f"{place}: no words of their own"
            )
            assert [p for p, count in Counter(listed).items() if count > 1] == [], place
            assert [p for p in listed if SCRIPTS[language].search(p)] == [], place


@pytest.mark.parametrize("name", EXCLUSIVE)
def test_a_phrase_has_one_meaning_where_meanings_exclude_each_other(name: str) -> None:
    twice: dict[str, set[str]] = {}
    for language in LANGUAGES:
        for key, listed in ALL[language][name].items():
            for phrase in listed:
                twice.setdefault(" ".join(Words(phrase).words), set()).add(key)
    assert {phrase: keys for phrase, keys in twice.items() if len(keys) > 1} == {}


@pytest.mark.parametrize("name", list(ALL["en"]))
def test_what_is_skipped_is_no_phrase_of_its_table(name: str) -> None:
    for language in LANGUAGES:
        keys = ALL[language][name]
        meant = {" ".join(Words(p).words) for key, listed in keys.items() if key != SKIP for p in listed}
        assert [p for p in keys.get(SKIP, ()) if " ".join(Words(p).words) in meant] == []


@pytest.mark.parametrize("name", list(ALL["en"]))
def test_every_phrase_is_found_by_its_own_tree(name: str) -> None:
    tree = lexicons.phrases(name)
    for language in LANGUAGES:
        for key, listed in lexicons.table(name)[language].items():
            for phrase in listed:
                text = Words(phrase)
                found = [mark.value for mark in tree.find(text)]
                if key == SKIP:
                    assert found == [], (language, name, phrase)
                elif text.words:
                    assert found, (language, name, phrase)
                    assert len(found) == 1, (language, name, phrase, found)
                    assert key in found[0], (language, name, phrase, found)


def test_a_table_read_alone_is_the_table_of_the_whole_file() -> None:
    assert list(lexicons.tables()) == list(ALL["en"])
    for name in lexicons.tables():
        for language in LANGUAGES:
            read = {key: list(listed) for key, listed in lexicons.table(name)[language].items()}
            assert read == ALL[language][name]


@pytest.mark.budget(1)
def test_everything_is_compiled_in_little_time() -> None:
    for cached in (
        lexicons.table,
        lexicons._meanings,
        lexicons.phrases,
        lexicons.concepts,
        lexicons._sections,
    ):
        cached.cache_clear()
    lexicons.warm()  # some 0.15 s on one idle core


@pytest.mark.parametrize(
    "text",
    [
        "Net operating income rose 8% to $5.2m, up from $4.8m a year earlier; SG&A and R&D & capex did not exceed it.",
        "The loan matures in 2027 and its DSCR must not fall below 1.25x, set up in May.",
        'ההכנסות עלו ב-8% ל-5.2 מיליון ש"ח ברבעון השלישי, לעומת 4.8 מיליון ש"ח אשתקד והתפוסה לא ירדה מתחת ל-90%',
        "第三季度营业收入同比增长8%至520万美元，而运营费用与上年持平，偿债覆盖率不得低于1.25倍。",
        "",
    ],
)
def test_several_tables_in_one_tree_are_found_as_each_alone(text: str) -> None:
    names = tuple(ALL["en"])
    found = lexicons.several(*names).find(Words(text))
    assert found == {name: lexicons.phrases(name).find(Words(text)) for name in names}


def test_a_phrase_that_is_skipped_hides_the_words_in_it() -> None:
    names = Names({"up": 1, "up from": 2}, ["up to", "set up"])
    found = [mark.value for mark in names.find(Words("It is up to 5, set up in May, up from 4 and up"))]
    assert found == [2, 1]


@pytest.mark.parametrize(
    ("name", "text", "keys"),
    [
        ("metrics", "הכנסות המזון והמשקאות", ["food_and_beverage_revenue"]),
        ("metrics", "NOI rose", ["net_operating_income"]),
        ("metrics", "sales & marketing", ["marketing_and_selling"]),
        ("directions", "revenue is up to 5% higher", ["up"]),
        ("directions", "unchanged from the prior year", ["flat"]),
        ("bounds", "it did not exceed 5", ["at_most"]),
        ("bounds", "no less than 5", ["at_least"]),
        ("multiples", "revenue doubled and costs fell by a quarter", ["2", "0.25"]),
        ("roles", "the covenant minimum", ["limit_min"]),
        ("date_roles", "the lease expires", ["end"]),
        ("metrics", "שכר הדירה הבסיסי", ["base_rent"]),
        ("metrics", "שכר דירה ממוצע", ["average_rent"]),
        ("directions", "הוצאות התפעול תפחו והפחת התכווץ", ["up", "down"]),
    ],
)
def test_phrases_are_found_in_a_text(name: str, text: str, keys: list[str]) -> None:
    assert [key for mark in lexicons.phrases(name).find(Words(text)) for key in sorted(mark.value)] == keys


@pytest.mark.parametrize(
    "same",
    [
        ("lease", "leases", "leased", "leasing"),
        ("tenant", "tenants", "tenancy"),
        ("expense", "expenses"),
        ("receivable", "receivables"),
        ("operating", "operation", "operations", "operate", "operated"),
        ("grow", "grew", "growth", "growing"),
        ("property", "properties"),
        ("drop", "dropped", "dropping", "drops"),
        ("payment", "payments", "pay", "paid"),
        ("amortization", "amortisation", "amortized", "amortised"),
        ("tax", "taxes"),
        ("company", "companies"),
        ("נכס", "הנכס", "נכסים", "בנכס", "נכסי", "ולנכסים"),
        ("הוצאה", "הוצאות", "ההוצאות", "להוצאות", "הוצאת", "וההוצאה"),
        ("תשלום", "תשלומים", "התשלומים", "תשלומי"),
        ("שוכר", "השוכר", "השוכרים", "לשוכרים"),
        ("מפרץ", "המפרץ", "במפרץ", "ובמפרץ"),
        ("כרמל", "הכרמל", "בכרמל"),
        ("שרון", "השרון", "לשרון"),
    ],
)
def test_forms_of_a_word_have_one_lemma(same: tuple[str, ...]) -> None:
    assert len({lexicons.lemma(word) for word in same}) == 1, {word: lexicons.lemma(word) for word in same}


@pytest.mark.parametrize(
    "apart",
    [
        ("lender", "borrower"),
        ("rate", "rating"),
        ("income", "expense"),
        ("loss", "less"),
        ("apartment", "apart"),
        ("seller", "sell"),
        ("מלווה", "לווה"),
        ("שוכר", "משכיר"),
        ("הכנסה", "הוצאה"),
    ],
)
def test_different_words_keep_different_lemmas(apart: tuple[str, str]) -> None:
    assert lexicons.lemma(apart[0]) != lexicons.lemma(apart[1])


def test_content_leaves_out_function_words_and_pairs_chinese_characters() -> None:
    assert lexicons.content(Words("The rents of the leased shops").words) == {"rent", "lease", "shop"}
    assert lexicons.content(Words("的").words) == frozenset()
    assert lexicons.content(["租", "金", "的", "收", "入"]) == {"租金", "收入"}
    assert lexicons.content(["租"]) == {"租"}
    assert lexicons.content([]) == frozenset()


def test_what_a_language_calls_a_key() -> None:
    assert lexicons.named("metrics", "net_operating_income", "he") == "הכנסה תפעולית נטו"
    assert lexicons.named("metrics", "no such", "he") is None
