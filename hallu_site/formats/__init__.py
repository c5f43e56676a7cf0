"""How dates and times are written in each language of the screens; times are those of UTC, by 24 hours."""
