"""Proofs of exact scores for everybody: a checker for each game that has them, and a writer."""
