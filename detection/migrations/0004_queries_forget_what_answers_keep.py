"""Copies question, property and period from queries to their answers, then drops the queries' own."""

from django.db import migrations
from django.db.models import OuterRef, Subquery


def copy(apps, _editor):
    query = apps.get_model("detection", "Query").objects.filter(pk=OuterRef("query"))
    apps.get_model("detection", "Answer").objects.update(
        question=Subquery(query.values("text")[:1]),
        property=Subquery(query.values("property")[:1]),
        period=Subquery(query.values("period")[:1]),
    )


class Migration(migrations.Migration):
    dependencies = [("detection", "0003_answers_keep_what_they_are_about")]
    operations = [
        migrations.RunPython(copy),
        migrations.RemoveField("query", "text"),
        migrations.RemoveField("query", "property"),
        migrations.RemoveField("query", "period"),
    ]
