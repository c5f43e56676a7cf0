"""Answers forget the address that nothing ever called."""

from django.db import migrations

from detection.append_only import frozen

FROZEN = frozen("detection_answer", ("question", "text"))


class Migration(migrations.Migration):
    dependencies = [("detection", "0024_empty_means_nothing")]

    operations = [
        FROZEN.backwards(),  # SQLite rebuilds the table, and drops its triggers
        migrations.RemoveField("answer", "callback_url"),
        FROZEN,
    ]
