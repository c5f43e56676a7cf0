"""The history of reviews names the API key and can be read by time; TRUNCATE and REPLACE cannot empty it."""

import django.db.models.deletion
from django.db import migrations, models

from detection.append_only import never_emptied


class Migration(migrations.Migration):
    dependencies = [("reviews", "0005_queue_speed"), ("detection", "0015_audit")]
    operations = [
        migrations.AddField(
            model_name='reviewevent',
            name='key',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='detection.apikey'),
        ),
        migrations.AddIndex(
            model_name='reviewevent',
            index=models.Index(fields=['created_at', 'id'], name='reviewevent_by_time'),
        ),
        migrations.AddIndex(
            model_name='reviewevent',
            index=models.Index(fields=['action', 'created_at', 'id'], name='reviewevent_by_action'),
        ),
        migrations.AddIndex(
            model_name='reviewevent',
            index=models.Index(fields=['actor', 'created_at', 'id'], name='reviewevent_by_actor'),
        ),
        never_emptied("reviews_reviewevent", ("subject_id", "seq")),
    ]
