"""The month in which a property's fiscal year ends."""

import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("detection", "0017_calibration")]

    operations = [
        migrations.AddField(
            model_name="property",
            name="fiscal_year_end_month",
            field=models.PositiveSmallIntegerField(
                blank=True,
                null=True,
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(12),
                ],
            ),
        ),
    ]
