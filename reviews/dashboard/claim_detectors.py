"""Which detector decided a claim, told by the claim's own columns."""

from django.db.models import Case, CharField, Q, Value, When

from reviews.models.queue_columns import KINDS

DETECTORS = ("numeric", "strawberry", "grounding", "judge")
"""The detectors that judge single claims; citation rules judge whole answers."""
NUMBERS = tuple(kind for kind in KINDS if kind != "statement")


def detector_of(prefix: str = "") -> Case:
    """One of :data:`DETECTORS` for each claim: numbers have theirs, a statement whoever doubted or measured it."""
    return Case(
        *(When(decided_by(name, prefix), then=Value(name)) for name in DETECTORS if name != "strawberry"),
        default=Value("strawberry"),
        output_field=CharField(),
    )


def decided_by(detector: str, prefix: str = "") -> Q:
    """The condition that this detector decided a claim; no claim for a name that is no detector's."""
    numbers = Q(**{f"{prefix}kind__in": NUMBERS})
    judge = Q(**{f"{prefix}finding__startswith": "judge_"})
    lifted = Q(**{f"{prefix}p1_low__isnull": False})
    overlapping = Q(**{f"{prefix}overlap__isnull": False})
    conditions = {
        "numeric": numbers,
        "judge": ~numbers & judge,
        "grounding": ~numbers & ~judge & ~lifted & overlapping,
        "strawberry": ~numbers & ~judge & (lifted | ~overlapping),
    }
    return conditions.get(detector, Q(pk__in=()))
