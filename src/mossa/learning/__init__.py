"""Learning: from self-play games to networks that play better than the players of those games."""
