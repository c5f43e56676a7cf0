"""Orders to erase, and the one change that triggers let through: that a row loses its words by such an order (SEC-19)."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from detection.append_only import append_only, frozen, never_emptied

JUDGED = "OLD.finished_at IS NOT NULL AND OLD.result IS NOT NULL"
STEPS = ("trace_id", "index")
BEFORE = [
    frozen("detection_answer", ("question", "text")),
    frozen("detection_detectionrun", ("answer_id", "profile_id", "result"), once=JUDGED),
    append_only("detection_trace"),
    append_only("detection_tracestep"),
    append_only("detection_rejectedfact"),
    never_emptied("detection_trace"),
    never_emptied("detection_tracestep", STEPS),
    never_emptied("detection_rejectedfact"),
]
ORDERED = "OLD.erasure_id IS NULL AND NEW.erasure_id IS NOT NULL"


def emptied(**columns):
    """The condition under which a row loses its words by an order: these columns get these values."""
    return " AND ".join([ORDERED, *(f"NEW.{name} = '{value}'" for name, value in columns.items())])


TRACE = emptied(question="", context="[]", answer="", executor_answer="", reason="", measurement="{}")
STEP = emptied(text="", citations="[]", unknown_citations="[]", reason="", measurement="{}")
FACT = emptied(content="", evidence="[]", reason="", measurement="{}")
SINCE = [
    frozen("detection_answer", ("question", "text"), once=f"NOT ({emptied(question='', text='')})"),
    frozen("detection_answer", ("erasure_id",), once="OLD.erasure_id IS NOT NULL", name="erased"),
    frozen("detection_detectionrun", ("answer_id", "profile_id"), once=JUDGED),
    frozen("detection_detectionrun", ("result",), once=f"{JUDGED} AND NOT ({emptied(result='{}')})", name="result"),
    frozen("detection_detectionrun", ("erasure_id",), once="OLD.erasure_id IS NOT NULL", name="erased"),
    append_only("detection_trace", unless=TRACE),
    frozen(
        "detection_trace",
        ("language", "property_id", "submitted_by_id", "profile_id", "worst", "derivable", "method", "created_at"),
    ),
    append_only("detection_tracestep", unless=STEP),
    frozen("detection_tracestep", (*STEPS, "status", "conclusion", "finding")),
    append_only("detection_rejectedfact", unless=FACT),
    frozen(
        "detection_rejectedfact",
        ("property_id", "submitted_by_id", "profile_id", "finding", "stated_confidence", "confidence", "created_at"),
    ),
    *BEFORE[5:],
]


def forget(apps, _editor):
    """What was read of chunks is kept under keys from which their texts are told; it is read again."""
    apps.get_model("detection", "ChunkFrames").objects.all().delete()


def order(**more):
    return models.ForeignKey(
        blank=True,
        editable=False,
        null=True,
        on_delete=django.db.models.deletion.PROTECT,
        related_name="+",
        to="detection.erasure",
        **more,
    )


def linked(to, **more):
    return models.ForeignKey(
        blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to=to, **more
    )


class Migration(migrations.Migration):
    dependencies = [
        ("detection", "0033_bodies_apart"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]
    operations = [
        migrations.CreateModel(
            name="ErasedRows",
            fields=[
                ("kind", models.CharField(max_length=20, primary_key=True, serialize=False)),
                ("rows", models.PositiveBigIntegerField(default=0)),
                ("last_at", models.DateTimeField(auto_now=True)),
            ],
            options={"verbose_name_plural": "erased"},
        ),
        migrations.CreateModel(
            name="Erasure",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("cause", models.CharField(choices=[("order", "Order"), ("age", "Age")], max_length=5)),
                ("ordered_by", linked(settings.AUTH_USER_MODEL)),
                ("reason", models.TextField(blank=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                "ordering": ["-id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("cause__in", ["order", "age"])), name="erasure_cause_is_known"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ErasureEvent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seq", models.PositiveIntegerField()),
                ("prev_hash", models.CharField(blank=True, max_length=64)),
                ("hash", models.CharField(max_length=64)),
                ("action", models.CharField(max_length=40)),
                ("body_hash", models.CharField(blank=True, default="", max_length=64)),
                ("request_id", models.CharField(blank=True, max_length=64)),
                ("created_at", models.DateTimeField()),
                ("actor", linked(settings.AUTH_USER_MODEL)),
                (
                    "body",
                    models.OneToOneField(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="detection.eventbody",
                    ),
                ),
                ("key", linked("detection.apikey")),
                ("profile", linked("detection.thresholdprofile")),
                (
                    "subject",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="events", to="detection.erasure"
                    ),
                ),
            ],
            options={
                "ordering": ["subject", "seq"],
                "abstract": False,
                "indexes": [
                    models.Index(fields=["created_at", "id"], name="erasureevent_by_time"),
                    models.Index(fields=["action", "created_at", "id"], name="erasureevent_by_action"),
                    models.Index(fields=["actor", "created_at", "id"], name="erasureevent_by_actor"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("subject", "seq"), name="erasure_event_seq_unique")
                ],
            },
        ),
        append_only("detection_erasureevent"),
        never_emptied("detection_erasureevent", ("subject_id", "seq")),
        *(guard.backwards() for guard in BEFORE),
        *(
            migrations.AddField(name, "erasure", order())
            for name in ("answer", "fact", "rejectedfact", "strictanswer", "trace")
        ),
        migrations.AddField(
            "detectionrun",
            "erasure",
            order(
                db_constraint=False,
                db_index=False,
                help_text="The order by which its answer was erased; then neither result nor measurements are there.",
            ),
        ),
        migrations.AddField("tracestep", "erasure", order(db_constraint=False, db_index=False)),
        migrations.AddIndex(
            "answer",
            models.Index(
                condition=models.Q(("erasure__isnull", True)),
                fields=["created_at"],
                name="answer_that_says_something",
            ),
        ),
        *SINCE,
        migrations.RunPython(forget, migrations.RunPython.noop),
    ]
