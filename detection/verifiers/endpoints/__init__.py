"""A model behind a network: its client, its limits, its failures, what it can do."""
