"""What goes in and out of the API, checked field by field."""
