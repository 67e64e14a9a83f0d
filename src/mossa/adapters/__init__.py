"""Players that were written for other frameworks, and our players inside those."""
