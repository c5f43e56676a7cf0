"""The sweeper pushes the heads of histories out as they grow; compared with them, ``verify_audit`` names what was cut off
or taken away whole, by whoever it was."""

import json
import logging
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.utils import timezone

from detection.history import heads
from detection.models import ApiKey
from reviews.audit.histories import HISTORIES
from reviews.management.commands.sweep import sweep
from reviews.models import HallucinationReview, Lease, ReviewEvent
from tests.reviews.attacks import behind_its_back, by_sql, found, ran

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.django_db,
    pytest.mark.requirement("SEC-20"),
]
SETTLED = timedelta(minutes=2)


def later() -> datetime:
    """When every event of now has settled."""
    return timezone.now() + SETTLED


def pushed() -> int:
    """How many lines are new."""
    return heads.push(HISTORIES, settings.AUDIT_HEADS, later())


def lines() -> list[dict[str, Any]]:
    """The lines of the file."""
    return [json.loads(line) for line in settings.AUDIT_HEADS.read_text().splitlines()]


def test_a_sweep_pushes_out_what_is_new_and_nothing_twice(
    worked: HallucinationReview, reviewer: User, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "detection")
    sweep(later())
    sweep(later())
    (first,) = lines()
    last = ReviewEvent.objects.get(subject=worked, seq=5)
    assert first["heads"]["review"] == {str(worked.pk): [5, last.hash]}
    assert f"chains=2 signature={first['signature']}" in caplog.text
    Lease.take(worked, reviewer)
    sweep(later())
    assert lines()[1]["heads"] == {
        "review": {str(worked.pk): [6, ReviewEvent.objects.get(subject=worked, seq=6).hash]}
    }
    said, well = ran()
    assert well, said
    assert f"heads: {settings.AUDIT_HEADS}, whole" in said


def test_an_event_that_others_may_not_see_yet_waits(worked: HallucinationReview) -> None:
    assert heads.push(HISTORIES, settings.AUDIT_HEADS, timezone.now()) == 0
    assert pushed() == 1


def test_a_tail_that_was_cut_off_is_named(worked: HallucinationReview) -> None:
    pushed()
    behind_its_back("DELETE FROM TABLE WHERE seq > 3")
    (line,) = found()
    assert line.startswith(
        f"review {worked.pk} event 5: is gone; it was there when heads were pushed out at "
    )


def test_a_chain_that_is_gone_with_its_subject_is_named() -> None:
    key, _ = ApiKey.issue("nlq", ["read"])
    pushed()
    behind_its_back("DELETE FROM TABLE", table="detection_accessevent")
    by_sql("DELETE FROM detection_apikey")
    (line,) = found()
    assert line.startswith(f"key {key.pk} event 1: is gone")


def test_a_chain_that_was_rewritten_by_somebody_with_the_key_is_named(worked: HallucinationReview) -> None:
    pushed()
    last = ReviewEvent.objects.get(subject=worked, seq=5)
    last.request_id = "forged"
    behind_its_back("UPDATE TABLE SET request_id = 'forged', hash = %s WHERE seq = 5", last.digest())
    (line,) = found("--heads", str(settings.AUDIT_HEADS))
    assert line.startswith(f"review {worked.pk} event 5: is another than when heads were pushed out at ")


def test_a_cut_that_has_grown_again_is_named_and_logged(
    worked: HallucinationReview, reviewer: User, caplog: pytest.LogCaptureFixture
) -> None:
    pushed()
    behind_its_back("DELETE FROM TABLE WHERE seq > 3")
    HallucinationReview.objects.filter(pk=worked.pk).update(state="open")
    Lease.objects.all().delete()
    Lease.take(worked, reviewer)
    Lease.release(worked, reviewer)
    assert pushed() == 1
    assert "audit_heads_lost history=review" in caplog.text
    (line,) = found()
    assert line.startswith(f"review {worked.pk} event 5: is another than")


def changed_line(at: Path) -> None:
    first, *rest = at.read_text().splitlines(keepends=True)
    at.write_text("".join([first.replace("[5,", "[4,"), *rest]))


def line_taken_out(at: Path) -> None:
    at.write_text("".join(at.read_text().splitlines(keepends=True)[1:]))


@pytest.mark.parametrize("attack", [changed_line, line_taken_out])
def test_a_file_that_was_changed_is_named(worked: HallucinationReview, reviewer: User, attack: Any) -> None:
    pushed()
    Lease.take(worked, reviewer)
    pushed()
    attack(settings.AUDIT_HEADS)
    said = found()
    assert (
        f"heads {settings.AUDIT_HEADS} event 1: is not what was written, or a line before it is gone" in said
    )


def test_a_file_that_holds_no_heads_is_named(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("{}\n")
    assert found("--heads", str(tmp_path / "other")) == [
        f"heads {tmp_path / 'other'} event 1: is no line of heads"
    ]


def test_a_file_that_is_named_and_not_there_is_an_error(tmp_path: Path) -> None:
    said, well = ran("--heads", str(tmp_path / "none"))
    assert not well
    assert said.endswith("none cannot be read: No such file or directory.")


def test_without_heads_it_says_what_does_not_show() -> None:
    said, well = ran()
    assert well
    assert "so what was cut off the ends does not show" in said


def test_what_a_crash_left_of_a_line_is_cut_off(worked: HallucinationReview, reviewer: User) -> None:
    pushed()
    with settings.AUDIT_HEADS.open("a") as file:
        file.write('{"at": "2026')
    assert ran()[1]
    Lease.take(worked, reviewer)
    assert pushed() == 1
    assert len(lines()) == 2
    assert ran()[1]


@pytest.mark.usefixtures("worked")
def test_many_events_come_in_lines_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heads, "EVENTS", 2)
    monkeypatch.setattr(heads, "LINES", 2)
    assert [pushed(), pushed(), pushed()] == [2, 1, 0]
    assert ran()[1]


def test_a_folder_that_cannot_be_written_stops_no_sweep(
    worked: HallucinationReview,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(settings, "AUDIT_HEADS", tmp_path / "file" / "heads.jsonl")
    call_command("sweep", once=True)
    assert "audit_heads_failed" in caplog.text


# --- keys -------------------------------------------------------------------------------------------
def test_a_new_key_writes_and_the_old_one_still_counts(
    worked: HallucinationReview, reviewer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    pushed()
    old = settings.AUDIT_KEYS
    monkeypatch.setattr(settings, "AUDIT_KEYS", (b"new", *old))
    Lease.take(worked, reviewer)
    pushed()
    assert ran()[1]
    monkeypatch.setattr(settings, "AUDIT_KEYS", (b"new",))
    assert f"review {worked.pk} event 1: its content is not what was written" in found()
    monkeypatch.setattr(settings, "AUDIT_KEYS", old)
    assert f"review {worked.pk} event 6: its content is not what was written" in found()
