"""What all Django tests share: a database that transactional tests can empty, people, answers, reviews."""

import gc
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import hypothesis
import pytest
from django.conf import settings
from django.contrib.auth.models import Group, User
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.db import connection, transaction
from django.test import testcases
from django.utils import timezone, translation

from detection import origin, search
from detection.access import callers, throttle
from detection.access.wrong_keys import WrongKeys
from detection.api import waiting
from detection.core import codec
from detection.core.thresholds import DEFAULTS
from detection.core.types import Claim as ReadClaim
from detection.models import (
    Answer,
    Claim,
    DetectionRequest,
    DetectionRun,
    FinancialPeriod,
    Property,
    Query,
    ThresholdProfile,
)
from detection.operations import optional, verifying
from detection.runs import steps
from detection.verifiers.stores import Stores
from hallu_site.caches import configured
from reviews.lifecycle import detecting
from reviews.models import HallucinationReview, open_review
from tests import emptied, known_defects, migrated
from tests.waiting import GIVEN_UP_AFTER

TEXT = "NOI was $1,612,000 [S0] and occupancy was 85.5% in Q3 2024."
NOI, OCCUPANCY, QUARTER = "$1,612,000", "85.5%", "Q3 2024"
Made = TypeVar("Made")


def pytest_configure() -> None:
    """Pages find their files without collectstatic, passwords hash quickly, no commit waits for the disk, and no
    verifier, no store and no example is late because the machine is busy."""
    database = settings.DATABASES["default"]
    if database["ENGINE"].endswith("sqlite3"):
        database["OPTIONS"]["init_command"] += "PRAGMA synchronous=OFF;"
    else:
        database.setdefault("OPTIONS", {})["options"] = "-c synchronous_commit=off"
    settings.STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    hypothesis.settings.register_profile(
        "busy machine", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
    )
    hypothesis.settings.load_profile("busy machine")
    settings.OPTIONAL_STORE_SECONDS = GIVEN_UP_AFTER
    settings.CACHES = {"default": configured(settings.CACHE_URL, seconds=GIVEN_UP_AFTER)}
    settings.HALLUCINATION["timeout"] = settings.VERIFIER["timeout"] = GIVEN_UP_AFTER
    for unneeded in ("LXML", "DEFUSEDXML"):  # which production has not, whatever lies beside it here
        os.environ[f"OPENPYXL_{unneeded}"] = "False"
    settings.HALLU_AUDIT_SALT = "tests"  # else the key of each installation, which draws other audits
    gc.disable()  # nothing of what is collected goes away


@pytest.hookimpl(optionalhook=True)  # unknown without xdist
def pytest_xdist_auto_num_workers() -> int:
    """A process more than there are cores: those that drive browsers and products wait for them half of their time."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_finish() -> None:
    """What is imported and collected stays to the end: the garbage collector looks at it no more, and seldom at the
    rest. A tenth of a pass goes into that otherwise."""
    gc.collect()
    gc.freeze()
    gc.enable()
    gc.set_threshold(50_000, 20, 100)


TOGETHER = {
    "e2e": "",
    "faults": "",
    "llm": "llm",
    "moving": "",
    "test_first_ten_minutes.py": "",
    "test_two_commands.py": "",
}
"""Where tests share what is dear to start (a product, a browser with its pages, a model): those of a file stay on
one test process, or those of a folder that is given a name. Groups are given out first, the largest before the others;
the rest fills the time that the groups wait."""


@pytest.hookimpl(tryfirst=True)  # xdist reads the groups in the same hook
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Say which tests stay together when several processes share the tests, and which are known to fail."""
    known_defects.expect_failures(config, items)
    for item in items:
        place = item.path.relative_to(Path(__file__).parent).parts[0]
        if place in TOGETHER:
            item.add_marker(pytest.mark.xdist_group(TOGETHER[place] or item.path.stem))


@pytest.fixture(scope="session", autouse=True)
def static_files() -> Iterator[None]:
    """The live server finds static files in the apps. It asks for the staticfiles app by its plain name,
    which ours replaces by a configuration, and would fall back to the collected files."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(testcases, "_StaticFilesHandler", StaticFilesHandler)
        yield


USUAL_DEADLINES = {DEFAULTS.verification_deadline_ms, DEFAULTS.verifier_deadline_ms}


@pytest.fixture(scope="session", autouse=True)
def time_enough() -> Iterator[None]:
    """On a busy machine no detector runs out of time, unless its test shortens that, and no minute of the throttle
    ends, which costs queries."""
    expires = steps._expires
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            steps, "_expires", lambda clock, ms: expires(clock, 60 * ms if ms in USUAL_DEADLINES else ms)
        )
        patch.setattr(throttle, "clock", lambda: 600.0)
        yield


@pytest.fixture(scope="session")
def heads_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where this process pushes out the heads of histories."""
    return tmp_path_factory.mktemp("heads")


@pytest.fixture(autouse=True)
def heads_anew(heads_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What one test has pushed out is of no other's rows."""
    path = heads_folder / "heads.jsonl"
    monkeypatch.setattr(settings, "AUDIT_HEADS", path)
    yield
    path.unlink(missing_ok=True)


@pytest.fixture(autouse=True)
def permits_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """What one test has used of its requests is no other's."""
    monkeypatch.setattr(throttle.KeyThrottle, "_permits", {})
    monkeypatch.setattr(callers, "WRONG", WrongKeys())


@pytest.fixture(autouse=True)
def workers_at_once(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits in the test's own thread has done at once what a worker would do for a request, and waits for nothing
    else; callers of a live server wait in its threads."""
    if "live_server" in request.fixturenames:
        return

    def until(done: waiting.Done, key: Any, *, seconds: float, caller: Any) -> waiting.Ended:
        if done == DetectionRequest.ended:
            detecting.work(key)
        return waiting.Ended.DONE if key in done([key]) else waiting.Ended.LATE

    monkeypatch.setattr(waiting, "until", until)


@pytest.fixture(autouse=True)
def stores_anew() -> None:
    """A store that was away in one test is tried by the next."""
    optional.BROKER.forget()
    optional.CACHE.forget()


@pytest.fixture(autouse=True)
def no_key() -> Iterator[None]:
    """No test works for the API key that one before it has shown outside a request."""
    with origin.unknown():
        yield


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """A test begins in English: the language of the last request stays with its thread."""
    with translation.override("en"):
        yield


def append_only_tables() -> list[str]:
    """The tables that forbid changes, by the triggers that the migrations made."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(
                "SELECT tbl_name FROM sqlite_master WHERE type = 'trigger' AND name LIKE '%_no_update'"
            )
        else:
            cursor.execute(
                "SELECT DISTINCT event_object_table FROM information_schema.triggers "
                "WHERE trigger_name LIKE '%_no_update'"
            )
        return sorted(row[0] for row in cursor.fetchall())


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None, django_db_modify_db_settings: None, django_db_blocker: Any
) -> Iterator[None]:
    """A database of this process: a copy of the one that the migrations made."""
    theirs = settings.DATABASES["default"]["NAME"]
    with django_db_blocker.unblock():
        migrated.make()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(testcases.TransactionTestCase, "_fixture_teardown", emptied.empty)
        yield
    with django_db_blocker.unblock():
        connection.creation.destroy_test_db(theirs, verbosity=0)


@pytest.fixture(scope="module")
def shared_rows(
    django_db_setup: None, django_db_blocker: Any
) -> Iterator[Callable[[Callable[[], Made]], Made]]:
    """``shared_rows(make)``: rows that ``make`` writes once for the tests of a module. What a test changes of them is
    rolled back after it, as ever, and they go with the module. For modules without transactional tests."""

    def made(make: Callable[[], Made]) -> Made:
        with (
            django_db_blocker.unblock(),
            origin.unknown(),
            translation.override("en"),
            pytest.MonkeyPatch.context() as patch,
        ):
            patch.setattr(verifying, "stores", Stores)
            patch.setattr(throttle.KeyThrottle, "_permits", {})
            return make()

    module = transaction.atomic()
    with django_db_blocker.unblock():
        module.__enter__()
    yield made
    with django_db_blocker.unblock():
        transaction.set_rollback(True)
        module.__exit__(None, None, None)


@pytest.fixture(autouse=True)
def verifiers_remember_for_themselves(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Verifiers keep their books in threads of their own, which see nothing of a test's open transaction and
    wait for its lock; only tests without one get the shared books."""
    marker = request.node.get_closest_marker("django_db")
    transactional = marker is not None and marker.kwargs.get("transaction", False)
    if not transactional and "transactional_db" not in request.fixturenames:
        monkeypatch.setattr(verifying, "stores", Stores)


@pytest.fixture
def make_user(db: None) -> Callable[..., User]:
    """``make_user("dana", "reviewer")``: a person with roles."""

    def make(name: str, *roles: str) -> User:
        user = User.objects.create_user(name, password="correct horse battery")
        user.groups.set([Group.objects.get_or_create(name=role)[0] for role in roles])
        return user

    return make


@pytest.fixture
def reviewer(make_user: Callable[..., User]) -> User:
    """A reviewer."""
    return make_user("dana", "reviewer")


@pytest.fixture
def colleague(make_user: Callable[..., User]) -> User:
    """Another reviewer."""
    return make_user("erez", "reviewer")


@pytest.fixture
def senior(make_user: Callable[..., User]) -> User:
    """A senior reviewer."""
    return make_user("sofia", "senior")


@pytest.fixture
def viewer(make_user: Callable[..., User]) -> User:
    """Somebody who may look and not decide."""
    return make_user("vera", "viewer")


@pytest.fixture
def make_period(db: None) -> Callable[..., FinancialPeriod]:
    """``make_period("OAK", "Q3 2024")``: a period, and its property when it is new."""

    def make(code: str = "OAK", label: str = QUARTER) -> FinancialPeriod:
        place, _ = Property.objects.get_or_create(code=code, defaults={"name": code.title()})
        return FinancialPeriod.objects.get_or_create(
            property=place, label=label, defaults={"start": "2024-07-01", "end": "2024-09-30"}
        )[0]

    return make


@pytest.fixture
def make_answer(db: None) -> Callable[..., Answer]:
    """An answer to a question of its own, or to the question of the answer it ``supersedes``."""

    def make(
        text: str = TEXT, *, period: FinancialPeriod | None = None, user: User | None = None, **fields: Any
    ) -> Answer:
        older = fields.get("supersedes")
        return Answer.objects.create(
            query=older.query if older else Query.objects.create(user=user),
            question="What was NOI?",
            property=period.property if period else None,
            period=period,
            text=text,
            language=fields.pop("language", "en"),
            original_confidence=0.9,
            **fields,
        )

    return make


@pytest.fixture
def make_run(make_answer: Callable[..., Answer]) -> Callable[..., DetectionRun]:
    """A finished run of an answer; ``flagged`` maps pieces of its text to whether they ask for a verdict."""

    def make(
        answer: Answer | None = None, *, flagged: dict[str, bool] | None = None, **fields: Any
    ) -> DetectionRun:
        answer = answer or make_answer()
        values = {
            "profile": ThresholdProfile.active(),
            "risk_level": "high",
            "risk_score": 0.8,
            "needs_review": True,
            "has_hallucinations": True,
            "adjusted_confidence": 0.7,
            "finished_at": timezone.now(),
            "result": {},
            **fields,
        }
        search.keep(answer, search.groups_of(answer))
        run = DetectionRun.objects.create(answer=answer, **values)
        chosen = {NOI: True, OCCUPANCY: True, QUARTER: False} if flagged is None else flagged
        for index, (piece, asks) in enumerate(chosen.items()):
            start = answer.text.index(piece)
            kind = {NOI: "currency", OCCUPANCY: "percentage", QUARTER: "date"}.get(piece, "statement")
            read = ReadClaim(index, kind, piece, start, start + len(piece), sentence=0)  # type: ignore[arg-type]  # kinds
            Claim.objects.create(
                run=run,
                index=index,
                kind=kind,
                text=piece,
                start=start,
                end=start + len(piece),
                sentence=0,
                reading=codec.dump(read),
                flagged=asks,
                status="contradicted" if asks else "supported",
                deviation=0.306 if asks else None,
            )
        return run

    return make


@pytest.fixture
def make_review(make_run: Callable[..., DetectionRun]) -> Callable[..., HallucinationReview]:
    """The open review of a new answer; arguments as for ``make_run``."""

    def make(answer: Answer | None = None, **fields: Any) -> HallucinationReview:
        review = open_review(make_run(answer, **fields))
        assert review is not None
        return review

    return make


@pytest.fixture
def review(make_review: Callable[..., HallucinationReview]) -> HallucinationReview:
    """An open review with two flagged claims (NOI, occupancy) and one that is not (the quarter)."""
    return make_review()
