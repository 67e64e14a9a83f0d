"""Puzzles: positions in which one move is right, with the proof; made, kept, graded and checked."""
