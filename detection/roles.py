"""The names of the roles, which are Django groups; plain, since settings name them before there are models."""

ROLES = ("viewer", "reviewer", "senior", "admin")
