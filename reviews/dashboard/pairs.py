"""Claims that two people judged, as ratings."""

from dataclasses import dataclass

import numpy as np
from django.db.models import Exists, OuterRef, QuerySet
from numpy.typing import NDArray

from reviews.models import ClaimVerdict, ReviewPass

VERDICTS = tuple(ClaimVerdict.Verdict.values)


@dataclass(frozen=True)
class Pairs:
    """``ratings`` int64[n, 2] are positions in :data:`VERDICTS`, in pass 1 and in pass 2; ``kind`` is each claim's."""

    ratings: NDArray[np.int64]
    kind: NDArray[np.str_]


def pairs_of(given: QuerySet[ClaimVerdict]) -> Pairs:
    """The claims that are decided in both of two submitted passes; one query."""
    decided = given.filter(
        review_pass__state=ReviewPass.State.SUBMITTED,
        review_pass__pass_no__in=(1, 2),
        decided_at__isnull=False,
    ).order_by("claim_id")
    second = ReviewPass.objects.filter(
        review=OuterRef("review_pass__review"), pass_no=2, state=ReviewPass.State.SUBMITTED
    )
    twice = decided.filter(Exists(second))
    columns = ("claim_id", "claim__kind", "review_pass__pass_no", "verdict")
    said: dict[tuple[int, str], dict[int, str]] = {}
    for claim, kind, number, verdict in twice.values_list(*columns):
        said.setdefault((claim, kind), {})[number] = verdict
    both = {named: each for named, each in said.items() if len(each) == 2}
    ratings = [[VERDICTS.index(each[1]), VERDICTS.index(each[2])] for each in both.values()]
    return Pairs(
        np.array(ratings, dtype=np.int64).reshape(-1, 2), np.array([kind for _claim, kind in both], dtype=str)
    )
