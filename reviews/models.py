"""Reviews; see the models that follow."""
