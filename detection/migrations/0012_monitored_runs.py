from datetime import UTC

import django.db.models.deletion
from django.db import migrations, models

BATCH = 500


def fill(apps, schema_editor):
    """A row for every finished live run, out of the result that it delivered."""
    finished = (
        apps.get_model("detection", "DetectionRun")
        .objects.filter(purpose="live", finished_at__isnull=False)
        .order_by("pk")
        .values_list(
            "pk", "finished_at", "risk_score", "risk_level", "answer__property_id", "answer__submitted_by_id",
            "answer__model", "answer__language", "result__citations",
        )
    )  # fmt: skip
    monitored = apps.get_model("detection", "MonitoredRun")
    last = 0
    while rows := list(finished.filter(pk__gt=last)[:BATCH]):
        monitored.objects.bulk_create([row_of(monitored, *row) for row in rows], ignore_conflicts=True)
        last = rows[-1][0]


def row_of(monitored, pk, finished_at, risk_score, level, about, caller, model, language, rules):
    return monitored(
        run_id=pk,
        finished_on=finished_at.astimezone(UTC).date(),
        property_id=about,
        submitted_by_id=caller,
        model=model,
        language=language,
        risk_score=risk_score or 0.0,
        high_risk=level == "high",
        **counts(rules if isinstance(rules, dict) else {}),
    )


def counts(rules):
    if not rules.get("expected"):
        return {}
    valid, invalid = (len(rules.get(name) or ()) for name in ("valid_citations", "invalid_citations"))
    claims = rules.get("total_claims") or 0
    return {
        "cited": valid + invalid,
        "cited_invalid": invalid,
        "claims": claims,
        "claims_uncited": min(rules.get("uncited_count") or 0, claims),
    }


class Migration(migrations.Migration):
    """What monitoring keeps of each finished run, and the same of those that finished before."""

    dependencies = [("detection", "0011_strict_answers")]
    operations = [
        migrations.CreateModel(
            name="MonitoredRun",
            fields=[
                ("run", models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name="monitored", serialize=False, to="detection.detectionrun")),
                ("finished_on", models.DateField(help_text="The day in UTC.")),
                ("model", models.CharField(blank=True, max_length=200)),
                ("language", models.CharField(blank=True, max_length=20)),
                ("risk_score", models.FloatField()),
                ("high_risk", models.BooleanField()),
                ("cited", models.PositiveIntegerField(blank=True, help_text="Distinct ids that it cites.", null=True)),
                ("cited_invalid", models.PositiveIntegerField(blank=True, help_text="Those among them that no source has.", null=True)),
                ("claims", models.PositiveIntegerField(blank=True, help_text="Sentences that claim something.", null=True)),
                ("claims_uncited", models.PositiveIntegerField(blank=True, help_text="Those among them that are long and cite nothing.", null=True)),
                ("property", models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="detection.property")),
                ("submitted_by", models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="detection.apikey")),
            ],
            options={
                "ordering": ["-run"],
                "indexes": [models.Index(fields=["finished_on"], name="monitored_by_day")],
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("cited", None), ("cited_invalid__lte", models.F("cited")), _connector="OR"), name="invalid_citations_are_cited"),
                    models.CheckConstraint(condition=models.Q(("claims", None), ("claims_uncited__lte", models.F("claims")), _connector="OR"), name="uncited_claims_are_claims"),
                ],
            },
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
