"""The index of letter groups behind searches, filled from the answers that are there."""

from django.db import migrations

TABLES = {
    "postgresql": [
        "CREATE TABLE detection_answersearch (answer_id uuid PRIMARY KEY, groups integer[] NOT NULL)",
        "CREATE INDEX answersearch_groups ON detection_answersearch USING gin (groups)",
    ],
    "sqlite": [
        "CREATE TABLE detection_answersearch (id integer PRIMARY KEY, answer_id char(32) NOT NULL UNIQUE)",
        "CREATE VIRTUAL TABLE detection_answersearch_groups USING fts5(groups, content='', detail=none, columnsize=0)",
    ],
}
GONE = {
    "postgresql": ["DROP TABLE detection_answersearch"],
    "sqlite": ["DROP TABLE detection_answersearch_groups", "DROP TABLE detection_answersearch"],
}


def make(apps, schema_editor):
    for statement in TABLES[schema_editor.connection.vendor]:
        schema_editor.execute(statement)


def drop(apps, schema_editor):
    for statement in GONE[schema_editor.connection.vendor]:
        schema_editor.execute(statement)


def fill(apps, schema_editor):
    from detection import search

    for answer in apps.get_model("detection", "Answer").objects.iterator(chunk_size=500):
        search.keep(answer, search.groups_of(answer))


class Migration(migrations.Migration):
    dependencies = [("detection", "0013_flow")]
    operations = [migrations.RunPython(make, drop), migrations.RunPython(fill, migrations.RunPython.noop)]
