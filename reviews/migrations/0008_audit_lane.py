"""The blind lane, what was drawn by hand, and decisions of the sampler that never change (F22)."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q

from detection.append_only import append_only, frozen, never_emptied


class Migration(migrations.Migration):
    dependencies = [
        ("reviews", "0007_measured_blocks"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="hallucinationreview",
            name="blind",
            field=models.BooleanField(
                default=False, help_text="Whoever judges it is not told what the detectors concluded."
            ),
        ),
        migrations.CreateModel(
            name="AuditDraw",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("stratum", models.CharField(max_length=100)),
                ("probability", models.FloatField()),
                ("audited", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="audit_draws",
                        to="detection.detectionrun",
                    ),
                ),
                (
                    "drawn_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="audit_draws",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=Q(probability__gt=0, probability__lte=1),
                        name="audit_draw_probability_above_0",
                    )
                ],
            },
        ),
        append_only("reviews_auditdraw"),
        never_emptied("reviews_auditdraw"),
        frozen(
            "detection_detectionrun",
            ("audit_stratum", "audit_probability"),
            once="OLD.audit_probability IS NOT NULL",
            name="audit_frozen",
        ),
    ]
