from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("reviews", "0006_audit"), ("detection", "0017_calibration")]

    operations = [
        migrations.CreateModel(
            name="MeasuredBlock",
            fields=[
                ("first", models.BigIntegerField(primary_key=True, serialize=False)),
                (
                    "schema",
                    models.PositiveSmallIntegerField(
                        help_text="How to read the columns; another one is built anew."
                    ),
                ),
                (
                    "runs",
                    models.PositiveIntegerField(help_text="How many runs it holds."),
                ),
                ("latest", models.DateTimeField(help_text="When the last of them concluded.")),
                ("columns", models.BinaryField()),
                ("built_at", models.DateTimeField(auto_now=True)),
            ],
            options={"ordering": ["first"]},
        ),
    ]
