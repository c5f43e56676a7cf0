"""Which engine concluded a run; 0 for those of before, and for workers of a version before."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('detection', '0021_no_target_under_half'),
    ]

    operations = [
        migrations.AddField(
            model_name='detectionrun',
            name='engine',
            field=models.PositiveSmallIntegerField(db_default=0, help_text='The engine that concluded it; 0 before engines were counted.'),
        ),
    ]
