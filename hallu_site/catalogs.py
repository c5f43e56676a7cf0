"""The catalogues of ``locale/``: one ``.po`` a language for its translators, and the ``.mo`` that Django reads.

Both are kept with the code, so that a clone needs no gettext. polib comes with ``requirements-dev.txt``.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import polib
from django.conf import settings
from django.utils.translation import to_locale

from hallu_site.sentences import Sentence

PLURALS = {
    "he": "nplurals=3; plural=(n == 1 ? 0 : n == 2 ? 1 : 2);",
    "zh-hans": "nplurals=1; plural=0;",
    "zh-hant": "nplurals=1; plural=0;",
}
"""The languages with a catalogue, and how each counts."""
PLACE = re.compile(r"%\(\w+\)[sd]")


def path_of(language: str) -> Path:
    """Where the ``.po`` of a language is; the ``.mo`` stands beside it."""
    return Path(settings.BASE_DIR) / "locale" / to_locale(language) / "LC_MESSAGES" / "django.po"


def read(language: str) -> polib.POFile:
    """The catalogue of a language, an empty one where there is none."""
    path = path_of(language)
    return polib.pofile(str(path)) if path.exists() else polib.POFile()


def renewed(language: str, sentences: Mapping[Sentence, Sequence[str]]) -> polib.POFile:
    """The catalogue with these sentences and no others; what was translated stays so."""
    before = {sentence_of(entry): entry for entry in read(language)}
    catalog = polib.POFile(wrapwidth=110)
    catalog.metadata = {
        "Language": to_locale(language),
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "Plural-Forms": PLURALS[language],
    }
    for sentence, files in sentences.items():
        catalog.append(_entry(sentence, files, before.get(sentence), language))
    return catalog


def _entry(
    sentence: Sentence, files: Sequence[str], before: polib.POEntry | None, language: str
) -> polib.POEntry:
    entry = polib.POEntry(
        msgid=sentence.text,
        msgid_plural=sentence.plural,
        msgctxt=sentence.context or None,
        msgstr=before.msgstr if before else "",
        occurrences=[(name, "") for name in files],
        flags=["python-format"] if PLACE.search(sentence.text + sentence.plural) else [],
    )
    if sentence.plural:
        forms = int(PLURALS[language][len("nplurals=")])
        said = before.msgstr_plural if before else {}
        entry.msgstr_plural = {n: said.get(n, "") for n in range(forms)}
    return entry


def write(language: str, catalog: polib.POFile) -> None:
    """Store a catalogue and its compiled form."""
    path = path_of(language)
    path.parent.mkdir(parents=True, exist_ok=True)
    catalog.save(str(path))
    path.with_suffix(".mo").write_bytes(compiled(catalog))


def compiled(catalog: polib.POFile) -> bytes:
    """What Django reads; the same for the same sentences."""
    return bytes(catalog.to_binary())


def sentence_of(entry: polib.POEntry) -> Sentence:
    """The sentence that an entry translates."""
    return Sentence(entry.msgid, entry.msgid_plural, entry.msgctxt or "")


def faults(language: str, sentences: Mapping[Sentence, Sequence[str]]) -> list[str]:
    """What keeps a catalogue from being whole: sentences that are missing, left over, untranslated, or whose
    placeholders are others; a ``.mo`` that is not that of its ``.po``."""
    catalog = read(language)
    entries = {sentence_of(entry): entry for entry in catalog}
    compiled_path = path_of(language).with_suffix(".mo")
    return [
        *(f"{language}: not in the catalogue: {each.text!r}" for each in sentences if each not in entries),
        *(f"{language}: nowhere in the code: {each.text!r}" for each in entries if each not in sentences),
        *(f"{language}: {fault}: {each.text!r}" for each, e in entries.items() if (fault := _fault(e))),
        *(
            [f"{language}: the .mo is not that of the .po"]
            if not compiled_path.exists() or compiled_path.read_bytes() != compiled(catalog)
            else []
        ),
    ]


def _fault(entry: polib.POEntry) -> str:
    """What is wrong with one translation. A form for one or two may say the number in a word."""
    said = list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]
    if not all(text.strip() for text in said):
        return "not translated"
    wanted = set(PLACE.findall(entry.msgid_plural or entry.msgid))
    if set(PLACE.findall(said[-1])) != wanted or any(set(PLACE.findall(text)) - wanted for text in said):
        return "other placeholders"
    return "marked as uncertain" if entry.fuzzy else ""
