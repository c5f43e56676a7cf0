"""What was measured of many answers, as arrays: all that deciding again needs (review-queue §5.1)."""

import builtins
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

import numpy as np
from django.db.models import Exists, Q, QuerySet

from detection.access import Caller, answer_scope
from detection.models import DetectionRun, Property
from detection.operations import verifying
from reviews.tuning.replay import blocks
from reviews.tuning.replay.codes import KINDS
from reviews.tuning.replay.columns import Array, Columns, Table

__all__ = ["KINDS", "Measured", "load", "window"]


@dataclass(frozen=True)
class Measured:
    """One finished run each of A answers, in ascending order of runs, and their C claims.

    Nothing here depends on a threshold. ``flag_threshold_bits`` is a setting, not part of a profile: how many bits the
    doubtful statements of an answer may lack together (SPEC-08.22), None for no such limit.
    """

    columns: Columns
    flag_threshold_bits: float | None = None

    @builtins.property
    def run(self) -> Array:
        """int64[A]: the keys of the runs, ascending."""
        return self.answers["run"]

    @builtins.property
    def finished(self) -> Array:
        """float64[A]: when each run concluded, in POSIX seconds."""
        return self.answers["finished"]

    @cached_property
    def first(self) -> Array:
        """int64[A+1]: the claims of answer i are the rows ``first[i]:first[i + 1]``."""
        return np.searchsorted(self.claims["of"], np.arange(len(self.run) + 1)).astype(np.int64)

    @builtins.property
    def claim(self) -> Array:
        """int64[C]: the keys of the claims."""
        return self.claims["claim"]

    @builtins.property
    def kind(self) -> Array:
        """int8[C]: what each claim is, as a position in :data:`KINDS`."""
        return self.claims["kind"]

    @builtins.property
    def language(self) -> Array:
        """int32[A]: positions in :attr:`languages`, −1 for none; so are the next three."""
        return self.answers["language"]

    @builtins.property
    def property(self) -> Array:
        """int32[A]: positions in :attr:`properties`."""
        return self.answers["property"]

    @builtins.property
    def question_type(self) -> Array:
        """int32[A]: positions in :attr:`question_types`."""
        return self.answers["question_type"]

    @builtins.property
    def model(self) -> Array:
        """int32[A]: positions in :attr:`models`."""
        return self.answers["model"]

    @builtins.property
    def languages(self) -> tuple[str, ...]:
        """The languages that answers are in."""
        return self.columns.names["language"]

    @builtins.property
    def properties(self) -> tuple[str, ...]:
        """The codes of the properties that answers are about."""
        return self.columns.names["property"]

    @builtins.property
    def question_types(self) -> tuple[str, ...]:
        """The types of questions."""
        return self.columns.names["question_type"]

    @builtins.property
    def models(self) -> tuple[str, ...]:
        """The models that wrote the answers."""
        return self.columns.names["model"]

    @builtins.property
    def verifiers(self) -> tuple[str, ...]:
        """Who judged the statements of answers, as :func:`detection.core.verdict.verifier_of` names it."""
        return self.columns.names["verifier"]

    @builtins.property
    def original_confidence(self) -> Array:
        """float64[A]: the confidence that came with the answer, nan for none."""
        return self.answers["original_confidence"]

    @builtins.property
    def answers(self) -> Table:
        """The columns of the answers, see :data:`reviews.tuning.replay.columns.LAYOUT`."""
        return self.columns.tables["answers"]

    @builtins.property
    def claims(self) -> Table:
        """The columns of the claims; ``of`` is the answer's row."""
        return self.columns.tables["claims"]

    def of_claims(self, per_answer: Array) -> Array:
        """A value for each answer, repeated for each of its claims."""
        return per_answer[self.claims["of"]]

    def subset(self, wanted: Array) -> "Measured":
        """The answers that the bool mask ``wanted`` (A) names."""
        return Measured(self.columns.subset(wanted), self.flag_threshold_bits)


def load(runs: "QuerySet[DetectionRun]") -> Measured:
    """What was measured in those of ``runs`` that are finished; shadow runs are left out.

    Reads stored blocks and builds the few that are not stored; see :mod:`reviews.tuning.replay.blocks`.
    """
    finished = runs.filter(blocks.COUNTED).order_by("pk").values_list("pk", flat=True)
    wanted = np.fromiter(finished, np.int64)
    return Measured(_with_codes(blocks.columns_of(wanted)), verifying.flag_threshold_bits())


def _with_codes(columns: Columns) -> Columns:
    """Blocks name a property by its key, since its code may be changed; here it gets the code it has now."""
    codes: Mapping[str, Any] = {str(pk): code for pk, code in Property.objects.values_list("pk", "code")}
    return Columns(
        columns.tables,
        {**columns.names, "property": tuple(codes.get(key, key) for key in columns.names["property"])},
    )


def window(user: Caller, first: datetime, last: datetime) -> Measured:
    """What was measured of the answers that ``user`` may see and whose runs concluded in [first, last).

    Of an answer that was judged again only its latest finished run counts; one that a newer answer superseded counts.
    """
    later = DetectionRun.later().filter(blocks.COUNTED)
    concluded = Q(finished_at__gte=first, finished_at__lt=last)
    return load(DetectionRun.objects.filter(concluded, answer_scope(user, "answer__"), ~Exists(later)))
