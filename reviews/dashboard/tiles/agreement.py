"""How far reviewers agree: two people's verdicts on the same claims (F19)."""

from collections.abc import Callable

import numpy as np
from django.utils.translation import gettext as _
from numpy.typing import NDArray

from reviews.dashboard.scope import Scope
from reviews.dashboard.tiles.tile import Row, Tile, share_row
from reviews.dashboard.verdict_counts import total
from reviews.display.choices import KINDS as KIND_WORDS
from reviews.models import ClaimVerdict
from reviews.models.queue_columns import KINDS
from reviews.tuning import agreement
from reviews.tuning.estimates import Estimate

TOO_FEW = 30
"""Pairs below which there are too few to give a figure of agreement (F19)."""
Figure = Callable[[NDArray[np.int64]], Estimate]


def _coefficient(scope: Scope, figure: Figure) -> Tile:
    """A figure of agreement, over all claims and by kind."""
    found = scope.pairs
    if not len(found.ratings):
        return Tile(None, 0, text=_("Not measured yet: no claim was judged by two people in these days."))
    every, rows = _figure("", figure, found.ratings), []
    for kind in KINDS:
        chosen = found.ratings[found.kind == kind]
        if len(chosen):
            rows.append(_figure(str(KIND_WORDS[kind]), figure, chosen))
    few = _("Too few to tell: fewer than %(n)d pairs.") % {"n": TOO_FEW} if every.value is None else ""
    return Tile(every.value, every.n, every.low, every.high, rows=rows, text=few)


def _figure(label: str, figure: Figure, ratings: NDArray[np.int64]) -> Row:
    """A figure of agreement; without its value over too few pairs."""
    if len(ratings) < TOO_FEW:
        return Row(label, None, len(ratings))
    found = figure(ratings)
    return Row(label, found.value, found.n, found.low, found.high)


def percent(scope: Scope) -> Tile:
    """The share of claims on which both said the same."""
    return _coefficient(scope, agreement.percent)


def kappa(scope: Scope) -> Tile:
    """Cohen's κ: agreement of pairs beyond chance (Cohen 1960)."""
    return _coefficient(scope, agreement.kappa)


def alpha(scope: Scope) -> Tile:
    """Krippendorff's α for nominal data (Krippendorff 2011)."""
    return _coefficient(scope, agreement.alpha)


def ac1(scope: Scope) -> Tile:
    """Gwet's AC1, which prevalence moves little (Gwet 2008)."""
    return _coefficient(scope, agreement.ac1)


def matrix(scope: Scope) -> Tile:
    """How often which two verdicts met: the first person's as group, the second's as label."""
    found = scope.pairs.ratings
    if not len(found):
        return Tile(None, 0, text=_("Not measured yet: no claim was judged by two people in these days."))
    words = [str(word) for _code, word in ClaimVerdict.Verdict.choices]
    rows = [
        Row(words[second], int(((found[:, 0] == first) & (found[:, 1] == second)).sum()), group=words[first])
        for first in range(len(words))
        for second in range(len(words))
    ]
    same = int((found[:, 0] == found[:, 1]).sum())
    return Tile(same, len(found), rows=rows)


def overturned(_scope: Scope) -> Tile:
    """Adjudications that decided against the first person; nobody adjudicates yet."""
    return Tile(None, 0, text=_("Not measured yet: no review is adjudicated."))


def blind(scope: Scope) -> Tile:
    """How often people agree with the detectors when they do not see the conclusion, and when they do.

    Agreement is a wrong claim that was flagged or a right one that was not.
    """
    decided = [each for each in scope.counted if (each.wrong or each.right) and not each.added]
    rows = []
    for word, hidden in ((_("blind"), True), (_("conclusion seen"), False)):
        chosen = [each for each in decided if each.blind == hidden]
        same = total(chosen, lambda each: each.wrong == each.flagged)
        rows.append(share_row(word, same, total(chosen, lambda _each: True)))
    unseen = rows[0]
    if unseen.value is None:
        return Tile(None, 0, rows=rows, text=_("Not measured yet: nothing was judged blind in these days."))
    return Tile(unseen.value, unseen.n, unseen.low, unseen.high, rows=rows)
