"""Other properties' periods of the same dates are looked up for every answer."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("detection", "0004_queries_forget_what_answers_keep")]
    operations = [
        migrations.AddIndex(
            "financialperiod", models.Index(fields=["start", "end"], name="period_by_dates")
        ),
    ]
