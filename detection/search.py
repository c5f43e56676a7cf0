"""Which answers contain a text: an index of letter groups, so that a search reads no whole text.

An answer is kept under the groups of its question, text and sources: three letters of a word, two neighbouring
signs of Chinese, and short words whole. Whoever contains the searched text has all its groups; the reverse
need not hold, so a search asks the texts of what is found here as well. PostgreSQL keeps the groups as an array with a GIN
index, SQLite in FTS5; neither needs an extension that has to be installed.
"""

from collections.abc import Iterable, Sequence
from uuid import UUID
from zlib import crc32

import regex
from django.db import connection
from django.db.models import Q
from django.db.models.expressions import RawSQL

from detection.models import Answer, Source

MANY = 2_000
"""SQLite: a text in more answers than this is found sooner by reading answers in the order of the list."""
SAMPLED, SAMPLED_SHARE = 1_000, 20
"""PostgreSQL: so many answers are looked at for how common a text is; it is common in one of so many. Fewer answers
than the product need no sample."""
SAMPLE = "SELECT count(*) FROM detection_answersearch TABLESAMPLE SYSTEM (%s) WHERE groups @> %s::int[]"
KEPT_UNDER = "SELECT answer_id FROM detection_answersearch WHERE groups @> %s::int[]"
FOUND_BY_FTS = (
    "SELECT answer_id FROM detection_answersearch_groups JOIN detection_answersearch AS kept "
    "ON kept.id = detection_answersearch_groups.rowid WHERE detection_answersearch_groups MATCH %s LIMIT %s"
)

HAN = regex.compile(r"\p{Han}+")
WORD = regex.compile(r"(?:[[\p{L}\p{M}\p{N}]--\p{Han}]|(?<=\p{N})[.,](?=\p{N}))+", regex.V1)
LETTERS, SIGNS = 3, 2


def kept_groups(text: str) -> set[int]:
    """The groups under which ``text`` is found, as signed 32-bit numbers."""
    folded = text.casefold()
    return _numbers({g for word in _words(folded) for g in _kept(word)} | _pairs(folded))


def asked_groups(text: str) -> set[int]:
    """The groups that whatever contains ``text`` has. A word at an end of ``text`` may be part of a longer one, so
    if it is short it asks for nothing, unless it is all there is: then it is looked for as a whole word."""
    folded = text.casefold().strip()
    words = list(_words(folded))
    if len(words) == 1 and words[0] == folded:
        return _numbers(set(_kept(folded)))
    return _numbers({g for word in words for g in _slices(word, LETTERS)} | _pairs(folded))


def _words(text: str) -> Iterable[str]:
    found: list[str] = WORD.findall(text)
    return set(found)


def _kept(word: str) -> Iterable[str]:
    return _slices(word, LETTERS) if len(word) >= LETTERS else (word,)


def _pairs(text: str) -> set[str]:
    return {pair for run in set(HAN.findall(text)) for pair in (*_slices(run, SIGNS), *run)}


def _slices(word: str, length: int) -> Iterable[str]:
    return (word[at : at + length] for at in range(len(word) - length + 1))


def _numbers(groups: set[str]) -> set[int]:
    return {crc32(group.encode()) - 2**31 for group in groups}


def groups_of(answer: Answer) -> set[int]:
    """The groups of an answer's question, text and sources; a megabyte takes a fifth of a second."""
    said = (text for source in answer.sources.all() for text in (source.title, source.text))
    return kept_groups("\n".join([answer.question, answer.text, *said]))


def keep(answer: Answer, groups: set[int]) -> None:
    """Index an answer under its groups; again changes nothing, for it never changes."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "INSERT INTO detection_answersearch (answer_id, groups) VALUES (%s, %s::int[]) ON CONFLICT DO NOTHING",
                [answer.pk, f"{{{','.join(map(str, sorted(groups)))}}}"],
            )
            return
        cursor.execute(
            "INSERT OR IGNORE INTO detection_answersearch (answer_id) VALUES (%s)", [answer.pk.hex]
        )
        if cursor.rowcount:
            cursor.execute(
                "INSERT INTO detection_answersearch_groups (rowid, groups) VALUES (%s, %s)",
                [cursor.lastrowid, " ".join(map(token, groups))],
            )


def forget(answers: Sequence[Answer]) -> None:
    """Take answers, whose texts are still there, out of the index."""
    keys = [answer.pk for answer in answers]
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("DELETE FROM detection_answersearch WHERE answer_id = ANY(%s)", [keys])
            return
        places = ", ".join(["%s"] * len(keys))
        cursor.execute(
            f"DELETE FROM detection_answersearch WHERE answer_id IN ({places}) RETURNING answer_id, id",  # noqa: S608  # as many places as answers
            [key.hex for key in keys],
        )
        rows = dict(cursor.fetchall())
        cursor.executemany(  # an index that has no contents is told what stood there
            "INSERT INTO detection_answersearch_groups (detection_answersearch_groups, rowid, groups) VALUES ('delete', %s, %s)",
            [
                (rows[key.hex], " ".join(map(token, groups)))
                for key, groups in _groups_of_all(answers).items()
                if key.hex in rows
            ],
        )


def _groups_of_all(answers: Sequence[Answer]) -> dict[UUID, set[int]]:
    texts = {answer.pk: [answer.question, answer.text] for answer in answers}
    for pk, *said in Source.objects.filter(answer__in=texts).values_list("answer", "title", "text"):
        texts[pk] += said
    return {pk: kept_groups("\n".join(said)) for pk, said in texts.items()}


def may_contain(text: str, path: str = "pk") -> Q:
    """The answers (reached by ``path``) that may contain ``text``, as a condition beside one on the texts
    themselves. It narrows nothing where it would not help: for a text without any group, and for one that is
    nearly everywhere, of which a page is found sooner by reading in the order of the list."""
    groups = sorted(asked_groups(text))
    if not groups:
        return Q()
    if connection.vendor == "postgresql":
        return Q() if _is_common(groups) else Q(**{f"{path}__in": RawSQL(KEPT_UNDER, [groups])})  # noqa: S611
    answers = _found_by_fts(" AND ".join(map(token, groups)))
    return Q() if len(answers) > MANY else Q(**{f"{path}__in": answers})


def _found_by_fts(match: str) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(FOUND_BY_FTS, [match, MANY + 1])
        return [row[0] for row in cursor.fetchall()]


def _is_common(groups: list[int]) -> bool:
    """PostgreSQL: whether a sample has all the groups so often that the index, which reads every match before it gives
    the first, would take longer than the list. The planner cannot tell: it takes groups for independent."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT reltuples FROM pg_class WHERE oid = 'detection_answersearch'::regclass")
        rows = cursor.fetchone()[0]
        if rows < SAMPLED * SAMPLED_SHARE:
            return False
        cursor.execute(SAMPLE, [100 * SAMPLED / rows, groups])
        return bool(cursor.fetchone()[0] >= SAMPLED / SAMPLED_SHARE)


def token(group: int) -> str:
    """A group as FTS5 keeps it: eight hexadecimal digits."""
    return f"{group + 2**31:08x}"
