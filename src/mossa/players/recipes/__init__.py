"""Recipes: the five course reports' systems, and levels for people, as named players.

A recipe is a search of the core with chosen options. Only where a report has a rule that the search
has not (the centre first, win at once) is there some Python around it. The page docs/reports.md
tells for each what it follows and where it differs on purpose.

A recipe never plays at random because its time is up: it plays the best move found so far.
"""

from mossa.players import engine, levels
from mossa.players.recipes import bantumi, pojam, quatro, tree, tris

# A new recipe: a module of its own with the PlayerKind that names it, and one entry here.
RECIPES = (
    tree.KIND,
    pojam.KIND,
    *bantumi.KINDS,
    *quatro.KINDS,
    tris.KIND,
    levels.KIND,
    engine.KIND,
)
