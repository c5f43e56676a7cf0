"""Each step of a trace has a conclusion, and what the answer was held against is kept; of steps of before only what their
columns prove is called wrong."""

from django.db import migrations, models
from django.db.models import Case, Q, Value, When

from detection.append_only import append_only, never_emptied

WORDS = ("wrong", "not_in_evidence", "doubtful", "supported", "not_checked")
KEPT = [
    append_only("detection_trace"),
    append_only("detection_tracestep"),
    never_emptied("detection_trace"),
    never_emptied("detection_tracestep", ("trace_id", "index")),
]


def fill(apps, schema_editor):
    """A number and a verifier both call a step "contradicted"; every other word against one is proof or opinion by itself."""
    proved = Q(status="CONTRADICTED") & ~Q(finding="contradicted")
    sought = Q(status="NOT_IN_CONTEXT", finding="not_found")
    apps.get_model("detection", "TraceStep").objects.update(
        conclusion=Case(
            When(proved, then=Value("wrong")),
            When(sought, then=Value("not_in_evidence")),
            When(status__in=["CONTRADICTED", "NOT_IN_CONTEXT"], then=Value("doubtful")),
            When(status="ENTAILED", then=Value("supported")),
            default=Value("not_checked"),
        )
    )


class Migration(migrations.Migration):
    dependencies = [("detection", "0022_engine")]

    operations = [
        # Rows of before are filled, and SQLite rebuilds the tables, which would drop the triggers.
        *(kept.backwards() for kept in KEPT),
        migrations.AddField(
            "trace",
            "measurement",
            models.JSONField(
                blank=True,
                default=dict,
                help_text="The answer beside its steps; empty where it was not held against them.",
            ),
        ),
        migrations.AddField(
            "tracestep",
            "conclusion",
            models.CharField(
                choices=[(word, word) for word in WORDS], default="not_checked", max_length=15
            ),
            preserve_default=False,
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.AddConstraint(
            "tracestep",
            models.CheckConstraint(condition=Q(conclusion__in=WORDS), name="step_conclusion_is_known"),
        ),
        *KEPT,
    ]
