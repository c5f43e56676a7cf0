"""What is remembered of verifiers behind a network: what their endpoints can do, and what they cost."""

from decimal import Decimal

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("detection", "0007_traces")]
    operations = [
        migrations.CreateModel(
            name='VerifierEndpoint',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('base_url', models.CharField(max_length=500)),
                ('model', models.CharField(max_length=200)),
                ('logprobs', models.BooleanField(default=True)),
                ('top_logprobs', models.PositiveSmallIntegerField(default=0)),
                ('limit_name', models.CharField(blank=True, max_length=40)),
                ('temperature', models.BooleanField(default=True)),
                ('reasoning_effort', models.CharField(blank=True, max_length=20)),
                ('answer_tokens', models.PositiveIntegerField(default=0)),
                ('probed_at', models.DateTimeField(blank=True, null=True)),
                ('last_error', models.CharField(blank=True, max_length=300)),
                ('last_error_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'ordering': ['base_url', 'model'],
                'constraints': [models.UniqueConstraint(fields=('base_url', 'model'), name='one_row_per_endpoint')],
            },
        ),
        migrations.CreateModel(
            name='VerifierSpending',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('backend', models.CharField(max_length=20)),
                ('model', models.CharField(max_length=200)),
                ('calls', models.PositiveBigIntegerField(default=0)),
                ('cached', models.PositiveBigIntegerField(default=0)),
                ('tokens_in', models.PositiveBigIntegerField(default=0)),
                ('tokens_out', models.PositiveBigIntegerField(default=0)),
                ('usd', models.DecimalField(decimal_places=9, default=Decimal('0'), max_digits=18)),
            ],
            options={
                'verbose_name_plural': 'verifier spending',
                'ordering': ['-day', 'backend', 'model'],
                'constraints': [models.UniqueConstraint(fields=('day', 'backend', 'model'), name='one_row_per_day_and_model'), models.CheckConstraint(condition=models.Q(('usd__gte', 0)), name='spending_is_not_negative')],
            },
        ),
    ]
