"""Audited traces with their steps, which can be neither changed nor deleted."""

import uuid

import django.db.models.deletion
from django.db import migrations, models

from detection.append_only import append_only


class Migration(migrations.Migration):
    dependencies = [("detection", "0006_facts")]
    operations = [
        migrations.CreateModel(
            name='Trace',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('question', models.TextField(blank=True)),
                ('context', models.JSONField(blank=True, default=list, help_text='The sources as they were given.')),
                ('answer', models.TextField(blank=True)),
                ('language', models.CharField(blank=True, max_length=20)),
                ('worst', models.CharField(max_length=15)),
                ('derivable', models.BooleanField(blank=True, null=True)),
                ('executor_answer', models.TextField(blank=True)),
                ('method', models.CharField(choices=[('executor', 'Executor'), ('entailment', 'Entailment'), ('none', 'None')], default='none', max_length=10)),
                ('reason', models.TextField(blank=True)),
                ('cost', models.JSONField(blank=True, default=dict)),
                ('duration_ms', models.FloatField(default=0.0)),
                ('created_at', models.DateTimeField(auto_now_add=True, db_index=True)),
                ('profile', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='traces', to='detection.thresholdprofile')),
                ('property', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='traces', to='detection.property')),
                ('submitted_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='traces', to='detection.apikey')),
            ],
            options={
                'ordering': ['-created_at', '-id'],
            },
        ),
        migrations.CreateModel(
            name='TraceStep',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('index', models.PositiveIntegerField()),
                ('text', models.TextField(blank=True)),
                ('citations', models.JSONField(blank=True, default=list)),
                ('unknown_citations', models.JSONField(blank=True, default=list)),
                ('confidence', models.FloatField(blank=True, null=True)),
                ('status', models.CharField(choices=[('CONTRADICTED', 'Contradicted'), ('NOT_IN_CONTEXT', 'Not In Context'), ('UNVERIFIABLE', 'Unverifiable'), ('ENTAILED', 'Entailed')], max_length=15)),
                ('finding', models.CharField(max_length=40)),
                ('reason', models.TextField(blank=True)),
                ('rests_on', models.JSONField(blank=True, default=list, help_text='Indexes of earlier steps, from 0.')),
                ('p1_low', models.FloatField(blank=True, null=True)),
                ('p1_high', models.FloatField(blank=True, null=True)),
                ('p0_low', models.FloatField(blank=True, null=True)),
                ('p0_high', models.FloatField(blank=True, null=True)),
                ('required_bits', models.FloatField(blank=True, null=True)),
                ('observed_bits', models.FloatField(blank=True, null=True)),
                ('budget_gap', models.FloatField(blank=True, null=True)),
                ('strawberry', models.JSONField(blank=True, null=True)),
                ('measurement', models.JSONField(blank=True, default=dict)),
                ('trace', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='steps', to='detection.trace')),
            ],
            options={
                'ordering': ['trace', 'index'],
            },
        ),
        migrations.AddConstraint(
            model_name='trace',
            constraint=models.CheckConstraint(condition=models.Q(('method__in', ['executor', 'entailment', 'none'])), name='trace_method_is_known'),
        ),
        migrations.AddConstraint(
            model_name='trace',
            constraint=models.CheckConstraint(condition=models.Q(('derivable__isnull', True), models.Q(('method', 'none'), _negated=True), _connector='OR'), name='trace_verdict_has_a_method'),
        ),
        migrations.AddConstraint(
            model_name='tracestep',
            constraint=models.UniqueConstraint(fields=('trace', 'index'), name='step_index_unique_per_trace'),
        ),
        migrations.AddConstraint(
            model_name='tracestep',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['CONTRADICTED', 'NOT_IN_CONTEXT', 'UNVERIFIABLE', 'ENTAILED'])), name='step_status_is_known'),
        ),
        append_only("detection_trace"),
        append_only("detection_tracestep"),
    ]
