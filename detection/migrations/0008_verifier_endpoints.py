from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("detection", "0007_traces")]
    operations = []
