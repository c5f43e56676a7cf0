"""Each answer has its own question, property and period; a query that is asked again rewrites none."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("detection", "0002_first_profile")]
    operations = [
        migrations.AddField(
            "answer", "question", models.TextField(blank=True, default=""), preserve_default=False
        ),
        migrations.AddField(
            "answer",
            "property",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="answers",
                to="detection.property",
            ),
        ),
        migrations.AddField(
            "answer",
            "period",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="answers",
                to="detection.financialperiod",
            ),
        ),
    ]
