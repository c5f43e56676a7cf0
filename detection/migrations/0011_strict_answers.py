"""Strict answers: what was asked, what the reader got, what the model wrote."""

import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("detection", "0010_metrics"),
    ]

    operations = [
        migrations.CreateModel(
            name="StrictAnswer",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                ("question", models.TextField()),
                ("sources", models.JSONField(blank=True, default=list, help_text="The sources as given.")),
                ("preset", models.CharField(max_length=40)),
                (
                    "strictness",
                    models.JSONField(
                        default=dict, help_text="The settings used: the preset's, overlaid by own ones."
                    ),
                ),
                (
                    "citation_style",
                    models.CharField(
                        choices=[("inline", "Inline"), ("end", "End")], default="inline", max_length=6
                    ),
                ),
                (
                    "language",
                    models.CharField(
                        blank=True, help_text="As asked for; once finished, the answer's.", max_length=20
                    ),
                ),
                ("audience", models.CharField(blank=True, max_length=200)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("lease_until", models.DateTimeField(blank=True, null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True, db_index=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "status",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("success", "Success"),
                            ("insufficient_context", "Insufficient Context"),
                            ("low_confidence", "Low Confidence"),
                            ("hallucination_detected", "Hallucination Detected"),
                            ("error", "Error"),
                        ],
                        max_length=30,
                    ),
                ),
                ("answer", models.TextField(blank=True)),
                ("raw", models.TextField(blank=True)),
                ("reason", models.TextField(blank=True)),
                ("confidence", models.FloatField(default=0.0)),
                ("is_safe", models.BooleanField(default=False)),
                ("layers", models.JSONField(blank=True, default=list)),
                (
                    "cited",
                    models.JSONField(
                        blank=True, default=list, help_text="Ids of the sources that the answer cites."
                    ),
                ),
                ("model", models.CharField(blank=True, max_length=200)),
                ("prompt_version", models.CharField(blank=True, max_length=20)),
                ("cost", models.JSONField(blank=True, default=dict)),
                ("latency_ms", models.FloatField(default=0.0)),
                (
                    "judged",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="strict",
                        to="detection.answer",
                    ),
                ),
                (
                    "property",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="strict_answers",
                        to="detection.property",
                    ),
                ),
                (
                    "submitted_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="strict_answers",
                        to="detection.apikey",
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at", "-id"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("finished_at__isnull", True)),
                        fields=["created_at"],
                        name="strict_answer_owed",
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("finished_at__isnull", True), ("status", "")),
                            models.Q(
                                ("finished_at__isnull", False),
                                (
                                    "status__in",
                                    [
                                        "success",
                                        "insufficient_context",
                                        "low_confidence",
                                        "hallucination_detected",
                                        "error",
                                    ],
                                ),
                            ),
                            _connector="OR",
                        ),
                        name="finished_strict_answer_has_a_status",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("is_safe", False), ("status", "success"), _connector="OR"),
                        name="only_a_success_is_safe",
                    ),
                ],
            },
        ),
    ]
