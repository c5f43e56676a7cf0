"""Who may do what: one table over every URL of the project (F12). A URL that is not here fails the tests.

``Row(who, status)``: those in ``who`` get ``status``; everybody else who is logged in gets 403 with a reason in words, and
whoever is not is sent to the log-in. ``sent`` is a body that is accepted, ``others``
are roles that get in and get another status, ``after`` is what was done to the review before (tests/test_access.py). A method without a row is a 405.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

ANYBODY = frozenset({"anonymous", "service", "nobody", "viewer", "reviewer", "senior", "admin"})
"""``nobody`` is logged in and has no role; ``service`` is an API key, which no screen knows."""
PEOPLE = ANYBODY - {"anonymous", "service"}
ROLES = PEOPLE - {"nobody"}
JUDGES = frozenset({"reviewer", "senior"})
SENIORS = frozenset({"senior", "admin"})
ADMINS = frozenset({"admin"})


@dataclass(frozen=True, slots=True)
class Row:
    """Who gets in by one method of one URL, and with which status."""

    who: frozenset[str]
    status: int
    sent: Mapping[str, Any] = field(default_factory=dict)
    others: Mapping[str, int] = field(default_factory=dict)
    after: str = ""

    def for_role(self, role: str) -> int:
        """The status that ``role``, one of ``who``, gets."""
        return self.others.get(role, self.status)


SEEN = {"GET": Row(ROLES, 200)}
SENT_ON = dict.fromkeys(PEOPLE, 302)


def judged(status: int = 302, after: str = "", **sent: Any) -> dict[str, Row]:
    """An action of those who judge."""
    return {"POST": Row(JUDGES, status, sent, after=after)}


def for_all(status: int = 200) -> dict[str, Row]:
    """A page for whoever asks."""
    return {"GET": Row(ANYBODY, status)}


REVIEW = "reviews/<int:pk>/"
SCREENS: dict[str, dict[str, Row]] = {
    "": {
        "GET": Row(ROLES, 200, others={"viewer": 302, "admin": 302})
    },  # who does not judge has no work: the queue
    "login/": {
        "GET": Row(ANYBODY, 200, others=SENT_ON),
        "POST": Row(ANYBODY, 200, {"username": "x", "password": "y"}, SENT_ON),
    },
    "login/second-step/": dict.fromkeys(
        ("GET", "POST"), Row(ANYBODY, 302)
    ),  # who passed no first step: to it
    "login/provider/": {"GET": Row(ANYBODY, 404)},  # none is configured: tests/reviews/test_provider.py
    "login/provider/back/": {"GET": Row(ANYBODY, 404)},
    "logout/": {"POST": Row(ANYBODY, 302)},
    "me/": {"GET": Row(PEOPLE, 200), "POST": Row(PEOPLE, 302, {"theme": "dark", "language": "he"})},
    "me/keys/": {"POST": Row(PEOPLE, 302, {"reset": "1"})},
    "me/shortcuts/": {"POST": Row(PEOPLE, 302)},
    "me/acting/": {"GET": Row(PEOPLE, 200), "POST": Row(PEOPLE, 404)},
    "me/second-factor/": {"GET": Row(PEOPLE, 200), "POST": Row(PEOPLE, 422)},
    "me/password/": {"GET": Row(PEOPLE, 200), "POST": Row(PEOPLE, 200)},
    "help/": {"GET": Row(PEOPLE, 200)},
    "queue/": SEEN,
    "queue/next/": judged(),
    "queue/live/": SEEN,
    "queue/requeue/": judged(),
    "queue/several/": judged(200, action="assign", pick="REVIEW:1"),
    "queue/undo/": judged(),
    REVIEW: SEEN,
    f"{REVIEW}state/": SEEN,
    f"{REVIEW}history/": SEEN,
    f"{REVIEW}take/": judged(),
    f"{REVIEW}release/": judged(after="taken"),
    f"{REVIEW}heartbeat/": judged(after="taken"),
    f"{REVIEW}claims/<int:claim>/verdict/": judged(version=1, verdict="supported"),
    f"{REVIEW}claims/": judged(
        version=1, quote="Leasing momentum should", kind="statement", verdict="supported"
    ),
    f"{REVIEW}examine-rest/": judged(version=1),
    f"{REVIEW}undo/": judged(after="decided"),
    f"{REVIEW}resolve/": judged(after="decided", version="NOW"),
    f"{REVIEW}reopen/": judged(after="resolved", reason="again"),
    f"{REVIEW}skip/": judged(reason="later"),
    f"{REVIEW}snooze/": judged(version=1, day="TOMORROW"),
    f"{REVIEW}wake/": judged(after="snoozed"),
    f"{REVIEW}assign/": judged(version=1),
    f"{REVIEW}rescreen/": judged(),
    f"{REVIEW}adopt/": judged(after="checked_again", version=1),
    "answers/": SEEN,
    "answers/<uuid:pk>/": SEEN,
    "answers/<uuid:pk>/text/": SEEN,
    "answers/<uuid:pk>/send/": judged(reason="doubtful"),
    "answers/<uuid:pk>/sources/<int:position>/": SEEN,
    "traces/": SEEN,
    "traces/<uuid:pk>/": SEEN,
    "monitoring/": SEEN,
    "dashboard/": SEEN,
    "dashboard/blocks/<slug:block>/": SEEN,
    "dashboard/<slug:tile>.csv": SEEN,
    "facts/": SEEN,
    "facts/<uuid:pk>/": SEEN,
    "facts/rejected/": {"GET": Row(SENIORS, 200)},
    **{f"tuning/{part}": {"GET": Row(SENIORS, 200)} for part in ("", "changes/", "suggest/", "limits/")},
    "tuning/draft/": {"POST": Row(ADMINS, 302, {"value": "3"})},
    "tuning/suggest/draft/": {"POST": Row(ADMINS, 302, {"values": '{"base": {"overlap": 0.4}}'})},
    "tuning/limits/draft/": {"POST": Row(ADMINS, 409, {"proposed": "{}"})},
    "tuning/audits/": {"POST": Row(ADMINS, 302, {"value": "3"})},
    "tuning/calibration/": {"GET": Row(SENIORS, 200)},
    "tuning/calibration/fit/": {"POST": Row(ADMINS, 422, {"verifier": "rules", "method": "isotonic"})},
    "tuning/calibration/<int:pk>/activate/": {"POST": Row(ADMINS, 302, {"reason": "better"})},
    "tuning/calibration/<int:pk>/deactivate/": {"POST": Row(ADMINS, 409, {"reason": "worse"})},
    "tuning/versions/": {"GET": Row(SENIORS, 200)},
    "tuning/versions/compare/": {"GET": Row(SENIORS, 200)},
    "tuning/versions/new/": {"GET": Row(ADMINS, 200), "POST": Row(ADMINS, 302)},
    "tuning/versions/file/": {"POST": Row(ADMINS, 422)},
    "tuning/versions/<int:version>/": {"GET": Row(SENIORS, 200)},
    "tuning/versions/<int:version>/export/": {"GET": Row(SENIORS, 200)},
    "tuning/versions/<int:version>/step/": {"POST": Row(ADMINS, 422)},
    "audit/": {"GET": Row(SENIORS, 200)},
    "audit/export/": {"GET": Row(SENIORS, 200)},
}
"""The screens, by their routes."""

OPEN = {
    "healthz": for_all(),
    "healthz/queue": for_all(),
    "readyz": for_all(),
    "metrics": for_all(),  # by address, or by a token: tests/reviews/test_metrics.py
    "api/v1/schema/": for_all(),
    "api/v1/docs/": for_all(),
}
"""What needs no log-in."""

FIGURE_LISTS = ("properties", "periods", "financial-metrics", "income-statements")
STEPS = ("take", "release", "heartbeat", "verdict", "resolve", "reopen")
API: dict[tuple[str, str], set[str]] = {
    ("POST", "answers/"): {"submit"},
    ("GET", "answers/"): {"read"},
    ("GET", "answers/ID/"): {"read"},
    ("POST", "answers/ID/rescreen/"): {"submit"},
    ("POST", "answers:detect"): {"submit"},
    ("POST", "strict-answers/"): {"submit"},
    **{("GET", f"strict-answers/{pk}"): {"read"} for pk in ("", "ID/")},
    ("POST", "traces/"): {"submit"},
    **{("GET", f"traces/{pk}"): {"read"} for pk in ("", "ID/")},
    ("POST", "facts/"): {"submit"},
    ("DELETE", "facts/ID/"): {"submit"},
    **{("GET", f"facts/{pk}"): {"read"} for pk in ("", "ID/")},
    **{("GET", f"facts/rejected/{pk}"): {"review"} for pk in ("", "ID/")},
    ("GET", "monitoring/"): {"read"},
    ("GET", "calibration/"): {"read"},
    **{("GET", f"dashboard/{tile}"): {"read"} for tile in ("", "<slug:tile>/")},
    ("GET", "reviews/"): {"read", "review"},
    ("GET", "reviews/ID/"): {"read", "review"},
    **{("POST", f"reviews/ID/{step}/"): {"review"} for step in STEPS},
    ("GET", "threshold-profiles/"): {"read"},
    ("GET", "threshold-profiles/ID/"): {"read"},
    ("POST", "threshold-profiles/"): set(),
    **{
        ("POST", f"threshold-profiles/ID/{step}/"): set()
        for step in ("activate", "shadow", "retire", "rollback")
    },
    **{("GET", f"{name}/{pk}"): {"read"} for name in FIGURE_LISTS for pk in ("", "ID/")},
    **{("POST", f"{name}{tail}"): set() for name in FIGURE_LISTS for tail in ("/", ":bulk")},
    **{(method, f"{name}/ID/"): set() for name in FIGURE_LISTS for method in ("PUT", "PATCH", "DELETE")},
}
"""Which scopes of a key open an endpoint, beside admin, which opens all. People have no keys: 401."""

LOOK: frozenset[str] = frozenset()
ADMIN: dict[str, frozenset[str]] = {
    "auth/user": frozenset({"add", "change"}),
    "auth/group": frozenset({"add", "change", "delete"}),
    "axes/accessattempt": frozenset({"change", "delete"}),
    "axes/accessfailurelog": frozenset({"change", "delete"}),
    "axes/accesslog": frozenset({"change", "delete"}),
    "detection/identity": frozenset({"add", "delete"}),
    "detection/property": frozenset({"add", "change", "delete"}),
    "detection/propertygroup": frozenset({"add", "change", "delete"}),
    "detection/financialperiod": frozenset({"add", "change", "delete"}),
    "detection/financialmetrics": frozenset({"add", "change", "delete"}),
    "detection/incomestatementdata": frozenset({"add", "change", "delete"}),
    "detection/metricalias": frozenset({"add", "change", "delete"}),
    "detection/apikey": frozenset({"add", "change"}),
    "detection/thresholdprofile": frozenset({"add", "change"}),
    **{
        f"detection/{name}": LOOK
        for name in (
            "query", "answer", "detectionrun", "monitoredrun", "claim", "profileevent", "accessevent", "factevent",
            "personevent", "fact", "rejectedfact", "trace", "tracestep", "strictanswer", "verifierendpoint",
            "verifierspending", "metrictotals", "leftout", "erasure", "erasureevent", "erasedrows", "owedverification", "shadowflag", "calibrationmap", "calibrationevent", "chunkframes",
        )
    },
    **{
        f"reviews/{name}": LOOK
        for name in (
            "hallucinationreview", "reviewpass", "claimverdict", "lease", "reviewevent", "idempotencyrecord",
            "preferences", "skip", "auditdraw",
        )
    },
}  # fmt: skip
"""What an administrator may do with the rows of a model beside looking at them. Nobody else gets in."""

ADMIN_PAGES = {
    "admin/": {"GET": 200},
    "admin/login/": {"GET": 302},
    "admin/logout/": {"POST": 302},
    "admin/password_change/": {"GET": 200, "POST": 200},
    "admin/password_change/done/": {"GET": 200},
    "admin/autocomplete/": {"GET": 403},  # names no field
    "admin/jsi18n/": {"GET": 200},
    "admin/r/<path:content_type_id>/<path:object_id>/": {"GET": 404},
    "admin/^(?P<app_label>axes|auth|detection|reviews)/$": {"GET": 200},
    "admin/(?P<url>.*)$": {"GET": 404},
    "admin/auth/user/<id>/password/": {"GET": 200, "POST": 200},
}
"""The pages of the administration that belong to no model, with what an administrator gets."""


def walked(patterns: list[Any], before: str = "") -> list[tuple[str, Any]]:
    """Every route under ``patterns`` with its view."""
    found: list[tuple[str, Any]] = []
    for pattern in patterns:
        path = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            found += walked(pattern.url_patterns, path)
        elif isinstance(pattern, URLPattern):
            found.append((path, pattern.callback))
    return found


def every_route() -> list[tuple[str, Any]]:
    """Every route of the project with its view, from the URL configuration."""
    return walked(get_resolver().url_patterns)


def endpoints() -> set[tuple[str, str]]:
    """(method, path) of every endpoint of the API that asks for a key."""
    found = set()
    for path, view in every_route():
        if not path.startswith("api/v1/") or path in OPEN:
            continue
        plain = re.sub(r"\(\?P<pk>[^)]*\)", "ID", path.removeprefix("api/v1/"))
        actions = getattr(view, "actions", None) or {
            m: m for m in view.cls.http_method_names if hasattr(view.cls, m)
        }
        found |= {(method.upper(), plain.replace("^", "").replace("$", "")) for method in actions}
    return {(method, path) for method, path in found if method not in ("HEAD", "OPTIONS")}


def of_a_model(route: str) -> tuple[str, str] | None:
    """``("detection/answer", "change")`` for the page of the administration that changes an answer."""
    shape = r"admin/(\w+/\w+)/(?:(add)/|<path:object_id>/(?:(history|delete|change)/)?)?"
    found = re.fullmatch(shape, route)
    if found is None or route in ADMIN_PAGES:
        return None
    model, add, step = found.groups()
    return model, add or step or ("old" if "object_id" in route else "list")
