"""Second factors, and who people are at an OpenID Connect provider."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('detection', '0031_nothing_waits_unfinished'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='SecondFactor',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('secret', models.TextField()),
                ('last_step', models.BigIntegerField()),
                ('recovery', models.JSONField(default=list)),
                ('wrong', models.PositiveIntegerField(default=0)),
                ('wrong_at', models.DateTimeField(null=True)),
                ('set_at', models.DateTimeField()),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='second_factor', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Identity',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('issuer', models.CharField(max_length=255)),
                ('subject', models.CharField(max_length=255)),
                ('given', models.JSONField(default=list, editable=False)),
                ('linked_at', models.DateTimeField(auto_now_add=True)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='identities', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name_plural': 'identities',
                'ordering': ['person', 'issuer'],
                'constraints': [models.UniqueConstraint(fields=('issuer', 'subject'), name='one_person_an_identity')],
            },
        ),
    ]
