"""What the tables hold of verdicts and of how answers came to be looked at, as arrays."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from django.db.models import Q
from numpy.typing import NDArray

from detection.models import Claim, DetectionRun
from reviews.models import ClaimVerdict, ReviewPass
from reviews.models.states import AUDITS, SelectionReason, State
from reviews.tuning.replay.measured import Measured

Keys = NDArray[np.int64]

RANDOM = (SelectionReason.AUDIT_RANDOM, SelectionReason.AUDIT_BOUNDARY, SelectionReason.AUDIT_STRATUM)
"""Drawn by lot with a known probability; what a shadow profile picks is not."""
SELECTION = {reason: number for number, reason in enumerate(SelectionReason.values)}
AUDITED = [SELECTION[reason] for reason in AUDITS]
SHADOW, RESCREEN = DetectionRun.Purpose.SHADOW, DetectionRun.Purpose.RESCREEN
CODES = {"supported": 0, "not_a_claim": 0, "corrected": 1, "rejected": 1, "cannot_tell": 2}


@dataclass(frozen=True)
class Judged:
    """What resolved reviews say. ``run``, ``random`` and ``blind`` have one row a submitted pass that counts: the run
    measured of its answer, whether the answer was drawn at random, whether the pass was blind.

    ``claim``, ``claim_of`` and ``code`` have one row a judged claim: its key, the run measured, and the standing
    verdict (0 right, 1 wrong, 2 cannot tell). ``required`` and ``required_of`` list the claims that had to be decided.
    """

    run: Keys
    random: NDArray[np.bool_]
    blind: NDArray[np.bool_]
    claim: Keys
    claim_of: Keys
    code: NDArray[np.int8]
    required: Keys
    required_of: Keys

    def wrong(self, with_cannot_tell: bool) -> NDArray[np.int8]:
        """1 wrong, 0 right, -1 nobody can tell, which is wrong as well when asked."""
        return np.where(self.code == 2, 1 if with_cannot_tell else -1, self.code).astype(np.int8)


@dataclass(frozen=True)
class Selection:
    """How each measured answer came to be looked at: ``stratum`` 0 when one of its runs asked for a review, else the
    number of its audit stratum from 1 on; ``sampled`` the run at whose conclusion that was decided."""

    stratum: NDArray[np.int32]
    sampled: Keys


def judged(measured: Measured, *, blind_only: bool, with_gold: bool) -> Judged:
    """The verdicts on the answers of ``measured``, in three queries."""
    passes = _passes(measured.run, blind_only, with_gold)
    claim, by, code = _verdicts(passes)
    order = np.lexsort((_rank(passes["pass_no"][by]), passes["review"][by]))
    # Of several verdicts on a claim the last one stands: the newest review's, in it the highest rank's.
    standing = order[::-1][np.unique(claim[order][::-1], return_index=True)[1]]
    required, required_of = _required(measured, passes)
    return Judged(
        run=passes["run"],
        random=np.isin(passes["reason"], [SELECTION[reason] for reason in RANDOM]),
        blind=passes["blind"].astype(bool),
        claim=claim[standing],
        claim_of=passes["run"][by[standing]],
        code=code[standing],
        required=required,
        required_of=required_of,
    )


def _passes(run: Keys, blind_only: bool, with_gold: bool) -> dict[str, Keys]:
    """Submitted passes of resolved reviews, ascending: key, number, blindness, review, its run and reason, and the
    run measured of its answer."""
    rows = (
        ReviewPass.objects.filter(
            state=ReviewPass.State.SUBMITTED,
            review__state=State.RESOLVED,
            review__answer__runs__pk__range=_ends(run),
        )
        .exclude(review__selection_reason__in=[] if with_gold else [SelectionReason.GOLD])
        .order_by("pk")
    )
    if blind_only:
        rows = rows.filter(Q(blind=True) | Q(pass_no__gte=ReviewPass.ADJUDICATION))
    names = ("key", "pass_no", "blind", "review", "of", "reason", "run")
    listed = [
        (*row, SELECTION[reason], measured)
        for *row, reason, measured in rows.values_list(
            "pk",
            "pass_no",
            "blind",
            "review_id",
            "review__run_id",
            "review__selection_reason",
            "review__answer__runs",
        )
    ]
    table = _table(listed, len(names))
    of, measured = table[names.index("of")], table[names.index("run")]
    ours = np.isin(measured, run) & ((of == measured) | ~np.isin(of, run))
    return dict(zip(names, table[:, ours], strict=True))


def _rank(pass_no: Keys) -> Keys:
    """:attr:`ReviewPass.rank` of many."""
    return np.where(pass_no >= ReviewPass.ADJUDICATION, pass_no, -pass_no)


def _verdicts(passes: dict[str, Keys]) -> tuple[Keys, Keys, NDArray[np.int8]]:
    """Decided verdicts: claim, row of the pass, code. Suggestions carried from older answers are none."""
    rows = ClaimVerdict.objects.filter(
        review_pass__pk__range=_ends(passes["key"]), decided_at__isnull=False
    ).order_by()
    table = _table(
        (
            (by, claim, CODES[verdict])
            for by, claim, verdict in rows.values_list("review_pass_id", "claim_id", "verdict")
        ),
        3,
    )
    table = table[:, np.isin(table[0], passes["key"])]
    return table[1], np.searchsorted(passes["key"], table[0]), table[2].astype(np.int8)


def _required(measured: Measured, passes: dict[str, Keys]) -> tuple[Keys, Keys]:
    """The claims that the reviews had to decide, and the runs measured: the flagged ones, in an audit every one."""
    flagged = Claim.objects.filter(
        flagged=True, origin=Claim.Origin.DETECTOR, run__pk__range=_ends(passes["of"])
    )
    claim, of = _table(flagged.order_by().values_list("pk", "run_id"), 2)
    ours = np.isin(of, passes["of"])
    order = np.argsort(passes["of"], kind="stable")
    measured_of = passes["run"][order][np.searchsorted(passes["of"][order], of[ours])]
    audited = np.isin(measured.run, passes["of"][np.isin(passes["reason"], AUDITED)])
    every = measured.of_claims(audited)
    return (
        np.concatenate([claim[ours], measured.claim[every]]),
        np.concatenate([measured_of, measured.of_claims(measured.run)[every]]),
    )


def selection(run: Keys) -> Selection:
    """How the answers of ``run`` came to be looked at, in two queries. An answer that was judged again keeps what
    was decided at first."""
    columns = ("needs_review", "audit_stratum", "audit_probability")
    finished = DetectionRun.objects.filter(finished_at__isnull=False).exclude(purpose=SHADOW).order_by("pk")
    own = finished.filter(pk__range=_ends(run)).values_list("pk", "pk", *columns)
    again = finished.filter(answer__runs__pk__range=_ends(run), answer__runs__purpose=RESCREEN)
    row = {key: number for number, key in enumerate(run.tolist())}
    names = {"": 1}
    stratum, sampled = np.ones(len(run), np.int32), run.copy()
    for measured, key, sent, name, probability in chain(
        own, again.values_list("answer__runs", "pk", *columns)
    ):
        number = row.get(measured)
        if number is not None and sent:
            stratum[number] = 0
        elif number is not None and probability is not None and stratum[number]:
            stratum[number], sampled[number] = names.setdefault(name, len(names) + 1), key
    return Selection(stratum, sampled)


def _ends(keys: Keys) -> tuple[int, int]:
    """The least and the greatest key: a database takes only so many in a list."""
    return (int(keys.min()), int(keys.max())) if len(keys) else (0, -1)


def _table(rows: Iterable[tuple[Any, ...]], columns: int) -> Keys:
    """Rows of whole numbers as columns, int64[columns, rows]."""
    listed = list(rows)
    return np.array(listed, np.int64).T if listed else np.zeros((columns, 0), np.int64)
