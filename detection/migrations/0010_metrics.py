from django.db import migrations, models


class Migration(migrations.Migration):
    """Running totals for the metrics, and the look-ups that the cache of verifiers could not answer."""

    dependencies = [("detection", "0009_overload")]
    operations = [
        migrations.CreateModel(
            name="MetricTotals",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("through", models.DateTimeField()),
                ("totals", models.JSONField(default=dict)),
            ],
            options={"verbose_name_plural": "metric totals"},
        ),
        migrations.AddField(
            model_name="verifierspending",
            name="missed",
            field=models.PositiveBigIntegerField(default=0),
        ),
    ]
