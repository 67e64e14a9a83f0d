"""Learning: from games of self-play to networks that play better than those who played them."""
