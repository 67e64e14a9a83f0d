"""What players and searches think: analysing a position, reviewing a game, scores as data."""

from mossa.analysis.analyst import MANY_MOVES, Analysis, MoveAnalysis, analyse, spec_options
from mossa.analysis.display import analysis_html, review_html
from mossa.analysis.grades import Grade, MoveReview, Review, SideReview, UngradedMove, review
from mossa.analysis.scores import estimate_data, score_data
from mossa.analysis.words import score_words, thought_text

__all__ = [
    "MANY_MOVES",
    "Analysis",
    "Grade",
    "MoveAnalysis",
    "MoveReview",
    "Review",
    "SideReview",
    "UngradedMove",
    "analyse",
    "analysis_html",
    "estimate_data",
    "review",
    "review_html",
    "score_data",
    "score_words",
    "spec_options",
    "thought_text",
]
