"""Players that were written for other frameworks."""
