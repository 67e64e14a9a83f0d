"""Gomocup: its brains as players (drive), our players as brains (serve)."""
