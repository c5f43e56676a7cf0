from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("detection", "0005_periods_are_found_by_their_dates")]
    operations = []
