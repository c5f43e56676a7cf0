import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from detection.append_only import frozen

FROZEN = frozen("detection_thresholdprofile", ("version", "values", "scoring"), once="OLD.state <> 'draft'")
OPTIONAL_PERSON = {
    "blank": True,
    "editable": False,
    "null": True,
    "on_delete": django.db.models.deletion.PROTECT,
    "related_name": "+",
    "to": settings.AUTH_USER_MODEL,
}


def give_slots(apps, schema_editor):
    """The two newest shadows keep running."""
    profiles = apps.get_model("detection", "ThresholdProfile").objects
    for place, profile in enumerate(profiles.filter(state="shadow").order_by("-version"), start=1):
        kept = {"shadow_slot": place, "shadow_since": profile.created_at} if place < 3 else {"state": "retired"}
        profiles.filter(pk=profile.pk).update(**kept)


class Migration(migrations.Migration):
    dependencies = [
        ("detection", "0015_audit"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        # SQLite rebuilds the table below, which would drop the trigger.
        FROZEN.backwards(),
        migrations.AddField(
            "thresholdprofile",
            "copied_from",
            models.ForeignKey(
                blank=True,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="copies",
                to="detection.thresholdprofile",
            ),
        ),
        migrations.AddField(
            "thresholdprofile",
            "shadow_slot",
            models.PositiveSmallIntegerField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            "thresholdprofile", "shadow_since", models.DateTimeField(blank=True, editable=False, null=True)
        ),
        migrations.AddField(
            "thresholdprofile",
            "gate",
            models.JSONField(
                blank=True, editable=False, help_text="What the gate said when it became active.", null=True
            ),
        ),
        migrations.AddField(
            "thresholdprofile", "predicted_low", models.FloatField(blank=True, editable=False, null=True)
        ),
        migrations.AddField(
            "thresholdprofile", "predicted_high", models.FloatField(blank=True, editable=False, null=True)
        ),
        migrations.AddField(
            "thresholdprofile",
            "asked_by",
            models.ForeignKey(
                help_text="Who wants it active in spite of a closed gate; somebody else confirms.",
                **OPTIONAL_PERSON,
            ),
        ),
        migrations.AddField(
            "thresholdprofile", "asked_at", models.DateTimeField(blank=True, editable=False, null=True)
        ),
        migrations.AddField(
            "thresholdprofile", "asked_reason", models.TextField(blank=True, default="", editable=False),
            preserve_default=False,
        ),
        migrations.RunPython(give_slots, migrations.RunPython.noop),
        migrations.AddConstraint(
            "thresholdprofile",
            models.UniqueConstraint(fields=["shadow_slot"], name="one_threshold_profile_a_shadow_slot"),
        ),
        migrations.AddConstraint(
            "thresholdprofile",
            models.CheckConstraint(
                condition=models.Q(state="shadow", shadow_slot__isnull=False, shadow_slot__in=[1, 2])
                | (~models.Q(state="shadow") & models.Q(shadow_slot__isnull=True)),
                name="at_most_two_threshold_profiles_are_shadows",
            ),
        ),
        FROZEN,
        migrations.CreateModel(
            name="ShadowFlag",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("needs_review", models.BooleanField()),
                (
                    "delivered_needs_review",
                    models.BooleanField(help_text="What the active profile said at that time."),
                ),
                ("risk_level", models.CharField(max_length=10)),
                (
                    "flagged",
                    models.JSONField(default=list, help_text="Indexes of the claims that it would ask about."),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "measured_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="shadow_flags_measured",
                        to="detection.detectionrun",
                    ),
                ),
                (
                    "profile",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="shadow_flags",
                        to="detection.thresholdprofile",
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="shadow_flags",
                        to="detection.detectionrun",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "indexes": [
                    models.Index(
                        condition=~models.Q(needs_review=models.F("delivered_needs_review")),
                        fields=["profile", "-id"],
                        name="shadow_flag_that_differs",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("run", "profile"), name="one_shadow_flag_per_run_and_profile"
                    )
                ],
            },
        ),
    ]
