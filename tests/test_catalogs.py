"""The catalogues hold every sentence in every language, with its placeholders, and are compiled (F39)."""

from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.utils import translation

from hallu_site import catalogs
from hallu_site.sentences import Sentence, sentences

pytestmark = pytest.mark.requirement("APP-03")
FOUND = {Sentence("Open"): ["a.html"], Sentence("%(n)s day", "%(n)s days"): ["b.py"]}


@pytest.fixture
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Catalogues of their own, none yet."""
    monkeypatch.setattr(catalogs, "path_of", lambda language: tmp_path / language / "django.po")
    return tmp_path


def say(*forms: str, text: str = "פתוחה") -> None:
    """Translate :data:`FOUND` into Hebrew."""
    catalog = catalogs.renewed("he", FOUND)
    for entry in catalog:
        if entry.msgid_plural:
            entry.msgstr_plural = dict(enumerate(forms))
        else:
            entry.msgstr = text
    catalogs.write("he", catalog)


@pytest.mark.parametrize("language", catalogs.PLURALS)
def test_every_sentence_is_translated(language: str) -> None:
    assert catalogs.faults(language, sentences()) == []


def test_every_language_that_can_be_chosen_has_a_catalogue() -> None:
    assert {code for code, _ in settings.LANGUAGES} == {"en", *catalogs.PLURALS}


@pytest.mark.parametrize(
    ("n", "said"),
    [(1, "נקרא מקור אחד."), (2, "נקראו שני מקורות."), (5, "נקראו 5 מקורות."), (21, "נקראו 21 מקורות.")],
)
def test_hebrew_counts_one_two_and_more(n: int, said: str) -> None:
    with translation.override("he"):
        text = translation.ngettext("%(n)d source read.", "%(n)d sources read.", n) % {"n": n}
    assert text == said


def test_a_whole_catalogue_has_no_faults(empty_folder: Path) -> None:
    say("יום", "יומיים", "%(n)s ימים")
    assert catalogs.faults("he", FOUND) == []


@pytest.mark.parametrize(
    ("forms", "text", "fault"),
    [
        (("יום", "", "%(n)s ימים"), "פתוח", "not translated"),
        (("יום", "יומיים", "ימים"), "פתוח", "other placeholders"),
        (("%(m)s יום", "יומיים", "%(n)s ימים"), "פתוח", "other placeholders"),
        (("יום", "יומיים", "%(n)s ימים"), " ", "not translated"),
        (("יום", "יומיים", "%(n)s ימים"), "%(n)s", "other placeholders"),
    ],
)
def test_what_is_not_whole_is_named(
    empty_folder: Path, forms: tuple[str, ...], text: str, fault: str
) -> None:
    say(*forms, text=text)
    (named,) = catalogs.faults("he", FOUND)
    assert named.startswith(f"he: {fault}: ")


def test_new_and_old_sentences_are_named(empty_folder: Path) -> None:
    say("יום", "יומיים", "%(n)s ימים")
    named = catalogs.faults("he", {Sentence("Closed"): ["a.html"], **dict([list(FOUND.items())[1]])})
    assert named == ["he: not in the catalogue: 'Closed'", "he: nowhere in the code: 'Open'"]


def test_a_compiled_file_of_another_time_is_named(empty_folder: Path) -> None:
    say("יום", "יומיים", "%(n)s ימים")
    catalog = catalogs.read("he")
    catalog[0].msgstr = "שונה"
    catalog.save(str(catalogs.path_of("he")))
    assert catalogs.faults("he", FOUND) == ["he: the .mo is not that of the .po"]
    polib.mofile(str(catalogs.path_of("he").with_suffix(".mo")))


def test_the_command_keeps_what_was_translated_and_drops_what_is_gone(
    empty_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    say("יום", "יומיים", "%(n)s ימים")
    monkeypatch.setattr(
        "hallu_site.management.commands.catalogs.sentences", lambda: {Sentence("Open"): ["a.html"]}
    )
    call_command("catalogs")
    assert [(entry.msgid, entry.msgstr) for entry in catalogs.read("he")] == [("Open", "פתוחה")]
    with pytest.raises(CommandError, match="not whole"):
        call_command("catalogs", check=True)
