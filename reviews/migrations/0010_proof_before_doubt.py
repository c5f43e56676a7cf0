"""What is proved goes before what is doubted: the gravest conclusion on the review's row, and an order that asks it.

The database reckons the order from the columns, so that rows of before need no more than the new one: 0011 fills it.
"""

from django.db import migrations, models
from django.db.models import Case, F, Q, Value, When

LIVE = Q(resolved_at__isnull=True, voided_at__isnull=True)
ORDER = ["queue_order", "created_at", "id"]
KINDS = ("statement", "currency", "percentage", "ratio", "date", "number", "change")
AUDITS = ("audit_random", "audit_boundary", "audit_shadow", "audit_stratum")
BLIND = Q(blind=True) | Q(selection_reason__in=AUDITS)
PROVED = ~BLIND & Q(against__in=("wrong", "not_in_evidence"))


def live(name, *fields, also=None):
    return models.Index(condition=LIVE & also if also else LIVE, fields=[*fields, *ORDER], name=f"review_{name}")


INDEXES = (
    models.Index(fields=ORDER, name="review_order"),
    live("queue_order"),
    live("queue_by_property", "property"),
    live("queue_by_period", "period"),
    live("queue_by_language", "language"),
    live("queue_by_reason", "selection_reason"),
    *(live(f"queue_has_{kind}", also=Q(**{f"has_{kind}": True})) for kind in KINDS),
    models.Index(fields=["state", *ORDER], name="review_by_state"),
)
"""All that end in the order: they go with the column, and come again with the new one."""


def column(expression):
    return models.GeneratedField(
        db_persist=True, expression=expression, output_field=models.PositiveSmallIntegerField()
    )


class Migration(migrations.Migration):
    dependencies = [("reviews", "0009_changes")]

    operations = [
        migrations.AddField(
            model_name="hallucinationreview",
            name="against",
            field=models.CharField(
                blank=True,
                choices=[
                    ("wrong", "Proved wrong"),
                    ("not_in_evidence", "Not in the evidence"),
                    ("doubtful", "Only doubted"),
                ],
                default="",
                help_text="The gravest conclusion against one of its claims.",
                max_length=15,
            ),
        ),
        migrations.AddConstraint(
            model_name="hallucinationreview",
            constraint=models.CheckConstraint(
                condition=Q(against__in=["", "wrong", "not_in_evidence", "doubtful"]),
                name="review_against_is_known",
            ),
        ),
        *(migrations.RemoveIndex("hallucinationreview", index.name) for index in INDEXES),
        migrations.RemoveField("hallucinationreview", "queue_order"),
        migrations.AddField(
            "hallucinationreview",
            "queue_order",
            column(
                F("priority") * 4
                + Case(When(returned_at__isnull=False, then=Value(0)), default=Value(2))
                + Case(When(PROVED, then=Value(0)), default=Value(1))
            ),
        ),
        *(migrations.AddIndex("hallucinationreview", index) for index in INDEXES),
        migrations.AddIndex("hallucinationreview", live("queue_by_against", "against")),
    ]
