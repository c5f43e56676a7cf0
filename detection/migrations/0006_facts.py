"""Facts behind the memory gate, those it rejected, and a history that can be neither changed nor deleted."""

import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from detection.append_only import append_only


class Migration(migrations.Migration):
    dependencies = [("detection", "0005_periods_are_found_by_their_dates")]
    operations = [
        migrations.CreateModel(
            name='Fact',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('content', models.TextField()),
                ('language', models.CharField(blank=True, max_length=20)),
                ('evidence', models.JSONField(blank=True, default=list, help_text='The sources as given: id, parent_id, text, title, score, quality, metadata.')),
                ('stated_confidence', models.FloatField()),
                ('confidence', models.FloatField()),
                ('finding', models.CharField(max_length=40)),
                ('reason', models.TextField(blank=True)),
                ('p1_low', models.FloatField(blank=True, null=True)),
                ('p1_high', models.FloatField(blank=True, null=True)),
                ('p0_low', models.FloatField(blank=True, null=True)),
                ('p0_high', models.FloatField(blank=True, null=True)),
                ('required_bits', models.FloatField(blank=True, null=True)),
                ('observed_bits', models.FloatField(blank=True, null=True)),
                ('budget_gap', models.FloatField(blank=True, null=True)),
                ('method', models.CharField(blank=True, max_length=40)),
                ('model', models.CharField(blank=True, max_length=200)),
                ('measurement', models.JSONField(blank=True, default=dict, help_text='What each detector measured, by its name.')),
                ('created_at', models.DateTimeField(auto_now_add=True, db_index=True)),
                ('status', models.CharField(choices=[('verified', 'Verified'), ('unverified', 'Unverified'), ('withdrawn', 'Withdrawn')], max_length=10)),
                ('reduced', models.BooleanField(default=False)),
                ('verify_after', models.DateTimeField(blank=True, null=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('withdrawn_at', models.DateTimeField(blank=True, null=True)),
                ('withdrawn_reason', models.TextField(blank=True)),
                ('profile', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='detection.thresholdprofile')),
                ('property', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to='detection.property')),
                ('submitted_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to='detection.apikey')),
            ],
            options={
                'ordering': ['-created_at', '-id'],
                'abstract': False,
                'default_related_name': '%(class)ss',
            },
        ),
        migrations.CreateModel(
            name='FactEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seq', models.PositiveIntegerField()),
                ('prev_hash', models.CharField(blank=True, max_length=64)),
                ('hash', models.CharField(max_length=64)),
                ('action', models.CharField(max_length=40)),
                ('before', models.JSONField(blank=True, default=dict)),
                ('after', models.JSONField(blank=True, default=dict)),
                ('reason', models.TextField(blank=True)),
                ('request_id', models.CharField(blank=True, max_length=64)),
                ('created_at', models.DateTimeField()),
                ('actor', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('profile', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='detection.thresholdprofile')),
                ('subject', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='events', to='detection.fact')),
            ],
            options={
                'ordering': ['subject', 'seq'],
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='RejectedFact',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('content', models.TextField()),
                ('language', models.CharField(blank=True, max_length=20)),
                ('evidence', models.JSONField(blank=True, default=list, help_text='The sources as given: id, parent_id, text, title, score, quality, metadata.')),
                ('stated_confidence', models.FloatField()),
                ('confidence', models.FloatField()),
                ('finding', models.CharField(max_length=40)),
                ('reason', models.TextField(blank=True)),
                ('p1_low', models.FloatField(blank=True, null=True)),
                ('p1_high', models.FloatField(blank=True, null=True)),
                ('p0_low', models.FloatField(blank=True, null=True)),
                ('p0_high', models.FloatField(blank=True, null=True)),
                ('required_bits', models.FloatField(blank=True, null=True)),
                ('observed_bits', models.FloatField(blank=True, null=True)),
                ('budget_gap', models.FloatField(blank=True, null=True)),
                ('method', models.CharField(blank=True, max_length=40)),
                ('model', models.CharField(blank=True, max_length=200)),
                ('measurement', models.JSONField(blank=True, default=dict, help_text='What each detector measured, by its name.')),
                ('created_at', models.DateTimeField(auto_now_add=True, db_index=True)),
                ('fact', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='rejections', to='detection.fact')),
                ('profile', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='detection.thresholdprofile')),
                ('property', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to='detection.property')),
                ('submitted_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to='detection.apikey')),
            ],
            options={
                'ordering': ['-created_at', '-id'],
                'abstract': False,
                'default_related_name': '%(class)ss',
            },
        ),
        migrations.AddIndex(
            model_name='fact',
            index=models.Index(condition=models.Q(('verify_after__isnull', False)), fields=['verify_after'], name='fact_due_for_verification'),
        ),
        migrations.AddConstraint(
            model_name='fact',
            constraint=models.CheckConstraint(condition=models.Q(('confidence__gte', 0), ('stated_confidence__gte', 0), ('stated_confidence__lte', 1), ('confidence__lte', models.F('stated_confidence'))), name='fact_confidence_at_most_as_stated'),
        ),
        migrations.AddConstraint(
            model_name='fact',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['verified', 'unverified', 'withdrawn'])), name='fact_status_is_known'),
        ),
        migrations.AddConstraint(
            model_name='fact',
            constraint=models.CheckConstraint(condition=models.Q(('verify_after__isnull', True), ('status', 'unverified'), _connector='OR'), name='only_an_unverified_fact_is_due'),
        ),
        migrations.AddConstraint(
            model_name='fact',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('status', 'withdrawn'), ('withdrawn_at__isnull', False)), models.Q(models.Q(('status', 'withdrawn'), _negated=True), ('withdrawn_at__isnull', True)), _connector='OR'), name='a_withdrawn_fact_has_its_time'),
        ),
        migrations.AddConstraint(
            model_name='factevent',
            constraint=models.UniqueConstraint(fields=('subject', 'seq'), name='fact_event_seq_unique'),
        ),
        migrations.AddConstraint(
            model_name='rejectedfact',
            constraint=models.CheckConstraint(condition=models.Q(('confidence__gte', 0), ('stated_confidence__gte', 0), ('stated_confidence__lte', 1), ('confidence__lte', models.F('stated_confidence'))), name='rejectedfact_confidence_at_most_as_stated'),
        ),
        append_only("detection_factevent"),
    ]
