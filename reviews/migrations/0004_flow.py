"""Skips, what comes back from snooze first in its priority, and what waits for new evidence."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models
from django.db.models import Case, F, Q, Value, When

LIVE = Q(resolved_at__isnull=True, voided_at__isnull=True)
ORDER = ["queue_order", "created_at", "id"]


class Migration(migrations.Migration):
    dependencies = [
        ("reviews", "0003_preferences"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]
    operations = [
        migrations.CreateModel(
            name="Skip",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "reason",
                    models.CharField(
                        choices=[
                            ("not_mine", "Not my field"),
                            ("too_long", "Too long for now"),
                            ("unclear", "I cannot judge it"),
                            ("later", "Later"),
                            ("other", "Another reason"),
                        ],
                        max_length=10,
                    ),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "review",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="skips",
                        to="reviews.hallucinationreview",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="skips",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["user", "-created_at"],
                "constraints": [
                    models.UniqueConstraint(fields=["user", "review"], name="one_skip_per_person_and_review"),
                    models.CheckConstraint(
                        condition=Q(reason__in=["not_mine", "too_long", "unclear", "later", "other"]),
                        name="skip_reason_is_known",
                    ),
                ],
            },
        ),
        migrations.RemoveIndex(model_name="hallucinationreview", name="review_order"),
        migrations.RemoveIndex(model_name="hallucinationreview", name="review_queue_order"),
        migrations.RemoveIndex(model_name="hallucinationreview", name="review_queue_by_property"),
        migrations.AddField(
            model_name="hallucinationreview",
            name="awaits_evidence_since",
            field=models.DateTimeField(
                blank=True,
                help_text="Comes back before its time when a run or figures newer than this arrive.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="hallucinationreview",
            name="returned_at",
            field=models.DateTimeField(blank=True, help_text="When it came back from snooze.", null=True),
        ),
        migrations.AddField(
            model_name="hallucinationreview",
            name="queue_order",
            field=models.GeneratedField(
                db_persist=True,
                expression=F("priority") * 2
                + Case(When(returned_at__isnull=False, then=Value(0)), default=Value(1)),
                output_field=models.PositiveSmallIntegerField(),
            ),
        ),
        migrations.AlterModelOptions(name="hallucinationreview", options={"ordering": ORDER}),
        migrations.AddIndex(
            model_name="hallucinationreview", index=models.Index(fields=ORDER, name="review_order")
        ),
        migrations.AddIndex(
            model_name="hallucinationreview",
            index=models.Index(condition=LIVE, fields=ORDER, name="review_queue_order"),
        ),
        migrations.AddIndex(
            model_name="hallucinationreview",
            index=models.Index(condition=LIVE, fields=["property", *ORDER], name="review_queue_by_property"),
        ),
        migrations.AddIndex(
            model_name="hallucinationreview",
            index=models.Index(condition=Q(state="snoozed"), fields=["snoozed_until"], name="review_snoozed"),
        ),
        migrations.AddConstraint(
            model_name="hallucinationreview",
            constraint=models.CheckConstraint(
                condition=Q(awaits_evidence_since__isnull=True) | Q(state="snoozed"),
                name="only_a_snoozed_review_waits_for_evidence",
            ),
        ),
    ]
