"""Calibration maps with their history; runs keep the raw confidence and who verified them."""

from collections import Counter
from typing import Any

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from detection.append_only import append_only, frozen, never_emptied

RULES = "rules"
FROZEN = frozen(
    "detection_detectionrun",
    ("answer_id", "profile_id", "result"),
    once="OLD.finished_at IS NOT NULL AND OLD.result IS NOT NULL",
)


def name_verifiers(apps: Any, _editor: Any) -> None:
    """Name the verifier of the runs that are finished already, as :func:`detection.calibration.verifier_of` does.

    No row is written twice: PostgreSQL checks such rows again at the end, and makes no index before it has.
    """
    runs = apps.get_model("detection", "DetectionRun").objects.filter(finished_at__isnull=False)
    reports = apps.get_model("detection", "DetectorReport").objects.filter(detector="strawberry")
    named: dict[str, list[int]] = {}
    for run, measured in reports.values_list("run_id", "measurements").iterator(500):
        if (verifier := _verifier(measured or {})) != RULES:
            named.setdefault(verifier, []).append(run)
    for verifier, found in named.items():
        for start in range(0, len(found), 500):
            runs.filter(pk__in=found[start : start + 500]).update(verifier=verifier)
    runs.filter(verifier=None).update(verifier=RULES)


def _verifier(measured: dict[str, Any]) -> str:
    counted = Counter(
        " · ".join(
            part for part in (lift.get("method"), lift.get("model"), lift.get("prompt_version")) if part
        )
        for lift in (measured.get("claims") or {}).values()
        if lift.get("p1") is not None
    )
    return min(counted, key=lambda name: (-counted[name], name))[:300] if counted else RULES


class Migration(migrations.Migration):
    dependencies = [
        ("detection", "0016_profile_life"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        # On the way back SQLite rebuilds the table, which drops its triggers.
        FROZEN.backwards(),
        migrations.AddField(
            model_name="detectionrun",
            name="raw_confidence",
            field=models.FloatField(blank=True, help_text="The adjusted one before a map.", null=True),
        ),
        migrations.AddField(
            model_name="detectionrun",
            name="verifier",
            field=models.CharField(
                blank=True, help_text="Who judged: see CalibrationMap.", max_length=300, null=True
            ),
        ),
        migrations.CreateModel(
            name="CalibrationMap",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("verifier", models.CharField(max_length=300)),
                ("version", models.PositiveIntegerField()),
                (
                    "method",
                    models.CharField(choices=[("isotonic", "Isotonic"), ("platt", "Platt")], max_length=10),
                ),
                ("coefficients", models.JSONField()),
                ("fitted_from", models.DateField()),
                ("fitted_to", models.DateField()),
                ("fitted_n", models.PositiveIntegerField()),
                ("reported_from", models.DateField()),
                ("reported_to", models.DateField()),
                ("reported_n", models.PositiveIntegerField()),
                (
                    "report",
                    models.JSONField(
                        help_text="ECE, Brier score and bins on the later days, before and after."
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[("draft", "Draft"), ("active", "Active"), ("retired", "Retired")],
                        default="draft",
                        max_length=10,
                    ),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("activated_at", models.DateTimeField(blank=True, null=True)),
                (
                    "created_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["verifier", "-version"],
            },
        ),
        migrations.CreateModel(
            name="CalibrationEvent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seq", models.PositiveIntegerField()),
                ("prev_hash", models.CharField(blank=True, max_length=64)),
                ("hash", models.CharField(max_length=64)),
                ("action", models.CharField(max_length=40)),
                ("before", models.JSONField(blank=True, default=dict)),
                ("after", models.JSONField(blank=True, default=dict)),
                ("reason", models.TextField(blank=True)),
                ("request_id", models.CharField(blank=True, max_length=64)),
                ("created_at", models.DateTimeField()),
                (
                    "actor",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "key",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="detection.apikey",
                    ),
                ),
                (
                    "profile",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="detection.thresholdprofile",
                    ),
                ),
                (
                    "subject",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="events",
                        to="detection.calibrationmap",
                    ),
                ),
            ],
            options={
                "ordering": ["subject", "seq"],
                "abstract": False,
            },
        ),
        migrations.AddField(
            model_name="detectionrun",
            name="calibration",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="runs",
                to="detection.calibrationmap",
            ),
        ),
        FROZEN,
        migrations.AddConstraint(
            model_name="calibrationmap",
            constraint=models.UniqueConstraint(
                fields=("verifier", "version"), name="one_map_per_verifier_and_version"
            ),
        ),
        migrations.AddConstraint(
            model_name="calibrationmap",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state", "active")),
                fields=("verifier",),
                name="one_active_map_per_verifier",
            ),
        ),
        migrations.AddConstraint(
            model_name="calibrationmap",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["draft", "active", "retired"])), name="map_state_is_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="calibrationmap",
            constraint=models.CheckConstraint(
                condition=models.Q(("method__in", ["isotonic", "platt"])), name="map_method_is_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="calibrationmap",
            constraint=models.CheckConstraint(
                condition=models.Q(("fitted_n__gte", 200)), name="map_has_enough_labels"
            ),
        ),
        migrations.AddConstraint(
            model_name="calibrationmap",
            constraint=models.CheckConstraint(
                condition=models.Q(("fitted_to__lt", models.F("reported_from"))),
                name="map_is_reported_on_later_days",
            ),
        ),
        migrations.AddIndex(
            model_name="calibrationevent",
            index=models.Index(fields=["created_at", "id"], name="calibrationevent_by_time"),
        ),
        migrations.AddIndex(
            model_name="calibrationevent",
            index=models.Index(fields=["action", "created_at", "id"], name="calibrationevent_by_action"),
        ),
        migrations.AddIndex(
            model_name="calibrationevent",
            index=models.Index(fields=["actor", "created_at", "id"], name="calibrationevent_by_actor"),
        ),
        migrations.AddConstraint(
            model_name="calibrationevent",
            constraint=models.UniqueConstraint(
                fields=("subject", "seq"), name="calibration_event_seq_unique"
            ),
        ),
        append_only("detection_calibrationevent"),
        never_emptied("detection_calibrationevent", ("subject_id", "seq")),
        frozen(
            "detection_calibrationmap",
            ("verifier", "version", "method", "coefficients", "fitted_n", "report"),
        ),
        migrations.RunPython(name_verifiers, migrations.RunPython.noop),
    ]
