"""Histories name the API key, can be read by time, and cover people; what must never change cannot."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from detection.append_only import append_only, frozen, never_emptied

CHAINED = ("subject_id", "seq")


class Migration(migrations.Migration):
    dependencies = [
        ("detection", "0014_search"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]
    operations = [
        migrations.CreateModel(
            name='PersonEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seq', models.PositiveIntegerField()),
                ('prev_hash', models.CharField(blank=True, max_length=64)),
                ('hash', models.CharField(max_length=64)),
                ('actor', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('key', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='detection.apikey')),
                ('action', models.CharField(max_length=40)),
                ('before', models.JSONField(blank=True, default=dict)),
                ('after', models.JSONField(blank=True, default=dict)),
                ('reason', models.TextField(blank=True)),
                ('profile', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='detection.thresholdprofile')),
                ('request_id', models.CharField(blank=True, max_length=64)),
                ('created_at', models.DateTimeField()),
                ('subject', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='access_events', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['subject', 'seq'],
                'abstract': False,
                'indexes': [
                    models.Index(fields=['created_at', 'id'], name='personevent_by_time'),
                    models.Index(fields=['action', 'created_at', 'id'], name='personevent_by_action'),
                    models.Index(fields=['actor', 'created_at', 'id'], name='personevent_by_actor'),
                ],
                'constraints': [models.UniqueConstraint(fields=('subject', 'seq'), name='person_event_seq_unique')],
            },
        ),
        migrations.AddField(
            model_name='accessevent',
            name='key',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='detection.apikey'),
        ),
        migrations.AddField(
            model_name='factevent',
            name='key',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='detection.apikey'),
        ),
        migrations.AddField(
            model_name='profileevent',
            name='key',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='detection.apikey'),
        ),
        migrations.AddIndex(
            model_name='accessevent',
            index=models.Index(fields=['created_at', 'id'], name='accessevent_by_time'),
        ),
        migrations.AddIndex(
            model_name='accessevent',
            index=models.Index(fields=['action', 'created_at', 'id'], name='accessevent_by_action'),
        ),
        migrations.AddIndex(
            model_name='factevent',
            index=models.Index(fields=['created_at', 'id'], name='factevent_by_time'),
        ),
        migrations.AddIndex(
            model_name='factevent',
            index=models.Index(fields=['action', 'created_at', 'id'], name='factevent_by_action'),
        ),
        migrations.AddIndex(
            model_name='profileevent',
            index=models.Index(fields=['created_at', 'id'], name='profileevent_by_time'),
        ),
        migrations.AddIndex(
            model_name='profileevent',
            index=models.Index(fields=['action', 'created_at', 'id'], name='profileevent_by_action'),
        ),
        migrations.AddIndex(
            model_name='accessevent',
            index=models.Index(fields=['actor', 'created_at', 'id'], name='accessevent_by_actor'),
        ),
        migrations.AddIndex(
            model_name='factevent',
            index=models.Index(fields=['actor', 'created_at', 'id'], name='factevent_by_actor'),
        ),
        migrations.AddIndex(
            model_name='profileevent',
            index=models.Index(fields=['actor', 'created_at', 'id'], name='profileevent_by_actor'),
        ),
        append_only("detection_personevent"),
        append_only("detection_rejectedfact"),
        never_emptied("detection_accessevent", CHAINED),
        never_emptied("detection_factevent", CHAINED),
        never_emptied("detection_personevent", CHAINED),
        never_emptied("detection_profileevent", CHAINED),
        never_emptied("detection_rejectedfact"),
        never_emptied("detection_trace"),
        never_emptied("detection_tracestep", ("trace_id", "index")),
        frozen("detection_answer", ("question", "text")),
        frozen("detection_source", ("answer_id", "ref", "title", "text")),
        frozen("detection_thresholdprofile", ("version", "values", "scoring"), once="OLD.state <> 'draft'"),
        frozen(
            "detection_detectionrun",
            ("answer_id", "profile_id", "result"),
            once="OLD.finished_at IS NOT NULL AND OLD.result IS NOT NULL",
        ),
    ]
