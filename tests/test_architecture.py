"""The reading order is the import order: a module uses only what stands before it.

A new module needs a place in the list; one that reaches for a later layer, or for a neighbour in
its own, is in the wrong place. tests/test_core_architecture.py has the same for the core.
"""

from __future__ import annotations

import ast
import pathlib
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest
from layers import assert_in_order, layer

import mossa
from mossa.games import KINDS
from mossa.players import player_kinds

PACKAGE = pathlib.Path(__file__).parent.parent / "src" / "mossa"

PYTHON_LAYERS = {
    "_core": "the rules, positions and searches in C++; knows nothing of Python's files",
    "packages": "what is installed: versions, entry points; knows nothing else",
    "errors": "the errors of the core and the wording all messages share",
    "files": "text files of users, and the words that refuse what cannot be read",
    "quantities": "counts and times in words; knows nothing else",
    "sheets": "tables as plain texts; knows neither terminals nor pages",
    "code_files": "Python code of the user's, by file and name",
    "watch": "ends calls of other people's code that take too long; knows no games",
    "python_games": "games that people write in Python, as all others see games",
    "games": "games by name: reads a text, asks the core",
    "vector": "many games at once, as arrays; needs no player",
    "records.branches": "moves as text, and what might have been played instead",
    "records.record": "a game as it was played: rules and names, but not who plays or how",
    "records.*": "the formats; none leans on another",
    "records.files": "picks the format by the name or the content of a file",
    "records": "the public names of the records",
    "render.looks": "sizes, colours and shapes as data",
    "render.words": "words and sizes that all drawings share",
    "render.*": "the drawings; none leans on another",
    "render": "draws a position; needs no player and no search",
    "notebook": "boards, tables and bars as HTML, rows as data frames; knows no player",
    "cluster": "where work runs; knows neither games nor players",
    "sandbox.limits": "what a program in a sandbox may use; knows no games",
    "sandbox.tree": "a process with its children, as the system shows them",
    "sandbox.calls": "which calls of the kernel are refused",
    "sandbox.groups": "control groups of Linux",
    "sandbox.bubblewrap": "the command line of bubblewrap",
    "sandbox.places": "which files a program needs to see",
    "sandbox.sandbox": "a sandbox around one program",
    "sandbox.run": "a command in a sandbox, to its end",
    "sandbox": "the public names of the sandbox",
    "evaluations": "what the core sees in a position without a search",
    "search": "the searches of the core, their limits, and scores",
    "solving": "what the folder is: solutions, and what they leave behind",
    "solving.container": "what the files of solving have in common: heads, checksums, folders",
    "networks": "learned evaluations: files, and what they say of themselves",
    "solving.book": "opening books: files of exact scores",
    "solving.journal": "work on a book that a kill cannot undo",
    "solving.study": "opening studies: files of moves that were searched for long",
    "solving.tables": "end-game tables: files of the outcomes of boards with few seeds",
    "solving.solver": "exact solutions: the solvers of the core, or a search to the end",
    "solving.certificates": "what the folder is: proofs for everybody",
    "solving.certificates.reading": "how proofs are read; uses nothing of mossa",
    "solving.certificates.*": "rules and proofs, one game a file; uses nothing else of mossa",
    "solving.certificate_check": "the checker of a file's game; uses nothing else of mossa",
    "solving.certificates.writing": "how long a proof may get",
    "solving.certificates.connect_writer": "moves that help the checker of connect",
    "solving.certificates.kalah_writer": "moves that help the checker of kalah",
    "solving.certificates.mnk_writer": "strategies for the checker of mnk",
    "solving.certificate": "writes what proves a solution",
    "solving.book_build": "books are made of exact solutions",
    "solving.proof_tree": "the tree of a proof in jobs: what is known, what to work on next",
    "solving.proof_journal": "the results of a proof, in a file that outlives processes",
    "solving.proof_worker": "what a worker does with a job: one solver, kept",
    "solving.proof_jobs": "hands out the jobs of a proof and keeps their results",
    "players.clocks": "how much time a player has",
    "players.base": "what a player is, and what it may be asked",
    "players.needs": "what must be installed besides mossa; knows no player",
    "players.registry": "kinds of players by name",
    "players.simple": "players that do not search",
    "players.searching": "players that search",
    "players.chooser": "what players share that are composed of options of other players",
    "players.refuter": "whether a move that a search has found loses",
    "players.stubborn": "what the engine plays when the result cannot be helped",
    "players.prospects": "whether a solver is worth its time",
    "players.variety": "first moves that are nearly as good as the best",
    "players.engine": "the strongest player; the highest level is it",
    "players.levels": "opponents for people; they lean on the strongest",
    "players.recipes.*": "the players of the reports, one report a file; none leans on another",
    "players.recipes": "the list of them",
    "players.foreign": "players in the files and packages of other people",
    "players.spec": "players by name, and what else can play",
    "players": "the public names of the players",
    "solving.study_build": "studies are made by players",
    "analysis.scores": "scores as plain data",
    "analysis.words": "scores in words",
    "analysis.analyst": "what players and searches think of a position",
    "analysis.grades": "what they think of a game",
    "analysis.display": "what terminals and notebooks say of both",
    "analysis": "the public names of the analysis",
    "puzzles": "what the folder is: positions in which one move is right",
    "puzzles.puzzle": "what a puzzle is; knows no player and no search",
    "puzzles.proving": "who proves what the moves of a position are worth",
    "puzzles.difficulty": "how hard it is to find a move",
    "puzzles.making": "from a position to a puzzle",
    "puzzles.file": "files of puzzles, read or refused in one line",
    "puzzles.build": "puzzles are made of games of our players, or of records",
    "puzzles.check": "puzzles are solved again",
    "puzzles.answers": "grades what somebody tries, and explains the answer",
    "protocols.systems.program": "what a system must be able to do with a program",
    "protocols.systems.*": "the systems, one a file; none leans on another",
    "protocols.systems": "the one that this is",
    "protocols.process": "an external program: lines, limits, its end",
    "protocols.external": "what programs have in common as players",
    "protocols.java": "where Java is, for players that are written in it",
    "protocols.ugi": "what the folder is",
    "protocols.ugi.drive": "programs that speak UGI as players",
    "protocols.gomocup": "what the folder is",
    "protocols.gomocup.drive": "brains of Gomocup as players",
    "protocols.bologna": "what the folder is",
    "protocols.bologna.frameworks": "the names of two Java frameworks",
    "protocols.bologna.material": "who plays in a folder of Java files, or in a jar",
    "protocols.bologna.build": "compiles a player once",
    "protocols.bologna.drive": "Java players as players",
    "protocols.background": "a player that thinks while commands are read",
    "protocols.connection": "lines over a network; knows no protocol",
    "protocols.listening": "be called over TCP and WebSockets; knows no protocol",
    "protocols.kgp": "what the folder is",
    "protocols.kgp.words": "the commands and boards of KGP",
    "protocols.kgp.agent": "an agent that has called, as a player",
    "protocols.kgp.lobby": "the agents of a tournament",
    "protocols.kgp.drive": "wait for an agent, as a player",
    "protocols.manchester": "what the folder is",
    "protocols.manchester.serve": "our players under Manchester's referee",
    "protocols.manchester.drive": "Manchester's programs as players",
    "protocols.*": "our players as programs and on servers; whether others keep to the protocol",
    "protocols": "the public names of the protocols",
    "adapters": "what the folder is: players of other frameworks here, ours there",
    "adapters.portable": "a player as files that need nothing installed; knows no framework",
    "adapters.pbrain": "the program of a brain that we write; stands alone, and looks for mossa",
    "adapters.kaggle.host": "a submission in a process of its own; uses nothing of mossa",
    "adapters.kaggle.submission": "main.py of a submission; stands alone, and looks for mossa",
    "adapters.kaggle.drive": "submissions as players",
    "adapters.kaggle.serve": "our players as agents",
    "adapters.kaggle.archive": "our players as submissions",
    "adapters.kaggle": "the public names for Kaggle",
    "adapters.seen": "positions and actions as arrays, for all of them",
    "adapters.openspiel_games": "games of OpenSpiel that have our rules; knows nothing else of it",
    "adapters.*": "frameworks of other people, one a file; none leans on another",
    "adapters.openspiel_player": "players of OpenSpiel by name, without loading it",
    "arena.courses": "the boards of the course tournaments",
    "arena.openings": "moves before the players are asked",
    "arena.statistics": "what results say of strength; knows no games",
    "arena.referee": "one game between two players",
    "arena.plan": "what a tournament is",
    "arena.schedule": "who plays whom",
    "arena.store": "the file of a tournament",
    "arena.standings": "from games to tables",
    "arena.oracle": "how good moves are where exact values are known",
    "arena.driver": "plays what is left of a tournament",
    "arena.report": "a tournament as plain rows",
    "arena.words": "what pages and terminals say of a report",
    "arena.html": "what web pages of the arena have in common",
    "arena.page": "the report as a web page",
    "arena.grade": "a player against a teacher's suite",
    "arena.students": "the player in what a student has handed in",
    "arena.school_class": "the players of all students against a suite",
    "arena": "matches and tournaments for callers",
    "course.plan": "what a course is: its file",
    "course.people": "lists of students, and the secrets in their links",
    "course.uploads": "what students send, taken apart without being run",
    "course.store.rows": "what the file of a course holds, as plain data",
    "course.store.file": "the file as a database: its layout, connections, settings",
    "course.store.*": "its tables, one subject a file; none leans on another",
    "course.store": "the file of a course",
    "course.export": "a course as CSV and JUnit",
    "course.folder": "an open course: its plan, its file, its folder",
    "course.register": "who is who",
    "course.inbox": "what students hand in",
    "course.views": "a course as people see it",
    "course.course": "all that can be asked of a course, or done",
    "course.workshop": "a version is built, checked and graded; a game is played",
    "course.ratings": "ratings of players who do not all play each other; knows no games",
    "course.ladder": "who plays whom, and how it stands",
    "course.reviews": "the first mistake of a game",
    "course.final": "the final tournament",
    "course.driver": "hands out all that work",
    "course": "the public names of courses",
    "learning": "what the folder is: networks, and the games they learn from",
    "learning.shards": "games of self-play as files",
    "learning.selfplay": "plays them; knows no network, only players",
    "learning.plan": "what a training run is",
    "learning.data": "from games to features and targets",
    "learning.export": "from weights to the whole numbers of the core",
    "learning.*_model": "networks in floating point, one kind a file",
    "learning.training": "learns from games, whatever the model is",
    "learning.state": "how far a run has come, as its journal tells",
    "learning.gate": "a new network against the old one, in the arena",
    "learning.run": "the loop: games, training, test",
    "learning.report": "a run as plain rows",
    "learning.judge": "how many moves are right, where the solver knows; knows no network",
    "learning.patterns": "what a network makes of patterns, beside what the solver knows",
    "learning.lesson": "the loop once more, small and in memory: learning from nothing",
    "trace": "a search recorded node by node, for people to step through",
    "": "the public names of the package; nobody needs a terminal to import them",
    "lab.runner": "runs players on positions and keeps what came of it",
    "lab.tris": "the parametric tic-tac-toe report, whose board its savings are measured on",
    "lab.*": "experiments and what is shown of them; none leans on another",
    "lab": "the experiments by name",
    "session": "what the folder is: games that people play",
    "session.wording": "what a board says of a game",
    "session.timing": "the clocks of a game",
    "session.turns": "what may be done with a game",
    "session.seats": "threads in which players think; knows no games",
    "session.opponents": "who sits at a board: other people's code apart",
    "session.session": "a game at a board: its record, its players, what is shown",
    "terminal": "a game between players, drawn on a terminal and saved as a record",
    "puzzles.trainer": "puzzles on a terminal, line by line",
    "tui": "what the folder is; importing it needs no other package",
    "tui.ascii": "plain letters for terminals without others",
    "tui.canvas": "characters with styles, and what can be marked on a board",
    "tui.grid": "boards of rows and columns as characters; knows no screen",
    "tui.pits": "boards of pits as characters; knows no screen",
    "tui.texts": "boards that are texts as characters; knows no screen",
    "tui.setup": "what can be chosen before a game",
    "tui.board": "a board on the screen: zoom, scrolling, a cursor",
    "tui.boards": "how moves are pointed out, by the shape of the board",
    "tui.panels": "what stands beside the board",
    "tui.keys": "the keys that are used most, on the last line",
    "tui.dialogs": "small screens: a question, a line, the keys",
    "tui.menu": "the screen before a game",
    "tui.game": "the screen of a game",
    "tui.app": "both of them as a program",
    "web.limits": "what clients may ask of the server, in numbers",
    "web.states": "positions and thoughts as data for pages",
    "web.evaluation": "who evaluates a position, and what a network thinks of it",
    "web.friends": "two people at a game: who sits where, what is offered; knows no store",
    "web.store": "saved games",
    "web.opponents": "which players a client may ask for",
    "web.saved_games": "how they begin, and what pages see of them",
    "web.searches": "searches in threads, stopped when nobody listens; knows no games",
    "web.thinking": "what those searches do: moves, hints, analysis",
    "web.notes": "games as people write them down: branches, boards, records",
    "web.messages": "what pages send",
    "web.tournaments": "tournaments that are played for the arena page",
    "web.explorer": "what was played in those tournaments",
    "web.fragments": "forms and tables as HTML",
    "web.setup_form": "the form of a new game as HTML",
    "web.reference": "the requests, explained, as HTML",
    "web.assets": "the files of the pages",
    "web.problems": "what clients are told when something is wrong",
    "web.connections": "how many connections there may be, and for how long in silence",
    "web.guard": "who may send anything",
    "web.invitation": "the link that a friend opens",
    "web.api": "requests over HTTP",
    "web.collection": "the games that a browser remembers",
    "web.live": "the socket",
    "web.tracing": "the request of the search viewer",
    "web.arena": "the requests of the arena page",
    "web.puzzles": "the requests of the page of puzzles",
    "web.app": "all of these behind the guard",
    "web.server": "the application on an address, until Ctrl-C",
    "web.course_plots": "ratings as small pictures; knows no course",
    "web.course_pages": "the pages of a course as HTML",
    "web.course_rights": "who somebody is in a course",
    "web.course_guard": "who may send anything to the server of a course",
    "web.course": "the requests of a course",
    "web.course_app": "all of these, and the board",
    "web.course_server": "the application and the driver, until Ctrl-C",
    "web": "what the folder is; importing it needs no other package",
    "scaffold": "folders to start from; knows templates, and what may be a name",
    "cli.ending": "how commands end when something is wrong; knows nothing",
    "cli.usage": "what is wrong with a command line",
    "cli.common": "arguments that commands share",
    "cli.conditions": "arguments of commands that play matches; knows clocks",
    "cli.display": "tables and progress on a terminal",
    "cli.proofs": "how far a proof in jobs is: words, data and plots",
    "cli.agents": "waiting for the agents of a tournament",
    "cli.*": "commands, one a file; none leans on another",
    "cli": "the commands by name: everything else, called from arguments",
    "__main__": "python -m mossa is the command",
}


def test_a_file_stands_where_its_name_or_its_pattern_does() -> None:
    layers = {"a": "", "b/*": "", "b/last": "", "c": ""}
    assert [layer(name, layers) for name in ("a", "b/x", "b/last", "c", "d")] == [0, 1, 2, 3, None]
    assert_in_order("b/last", ["a", "b/x"], layers)
    for name, used in (("b/x", "b/y"), ("b/x", "b/last"), ("b/x", "d"), ("a", "c")):
        with pytest.raises(AssertionError, match=f"'{name}' uses \\['{used}'\\]"):
            assert_in_order(name, ["a", used] if name != "a" else [used], layers)
    with pytest.raises(AssertionError, match="give 'd' its place"):
        assert_in_order("d", [], layers)


def module_name(path: pathlib.Path) -> str:
    """``records.sgf`` for src/mossa/records/sgf.py; the package itself is the empty name."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


# What `mossa new` copies is no part of the package, though it comes with it.
TEMPLATES = PACKAGE / "templates"
FILES = [
    path
    for path in sorted([*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.js")])
    if not path.is_relative_to(TEMPLATES)
]
MODULES = {module_name(path): path for path in FILES if path.suffix == ".py"}
KNOWN = {*MODULES, "_core"}


def inner_imports(module: str, text: str) -> Iterator[str]:
    """The modules of the package that a module imports anywhere, even late or for types only."""
    package = MODULES[module].name == "__init__.py"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                head, _, rest = alias.name.partition(".")
                if head == "mossa":
                    yield rest
        elif isinstance(node, ast.ImportFrom):
            origin = node.module or ""
            if node.level:
                here = ["mossa", *filter(None, module.split("."))]
                base = here[: len(here) - node.level + package]
                origin = ".".join([*base, *filter(None, [origin])])
            head, _, rest = origin.partition(".")
            if head != "mossa":
                continue
            for alias in node.names:
                inner = f"{rest}.{alias.name}".lstrip(".")
                yield inner if inner in KNOWN else rest


def test_a_module_imports_only_what_stands_before_it() -> None:
    for module, path in MODULES.items():
        imported = set(inner_imports(module, path.read_text(encoding="utf-8")))
        assert_in_order(module, imported, PYTHON_LAYERS)


def test_every_layer_of_the_package_is_there() -> None:
    assert {layer(module, PYTHON_LAYERS) for module in KNOWN} == set(range(len(PYTHON_LAYERS)))


@pytest.mark.parametrize(
    ("module", "text", "imported"),
    [
        ("games", "from mossa.players import player", {"players"}),
        ("games", "import mossa.cli", {"cli"}),
        ("games", "import mossa", {""}),
        ("games", "from mossa import game", {""}),
        ("games", "from mossa import _core, records", {"_core", "records"}),
        ("games", "from . import terminal", {"terminal"}),
        ("games", "from .records import sgf, Record", {"records.sgf", "records"}),
        ("records.sgf", "from .. import cli", {"cli"}),
        ("records.sgf", "from .psq import to_psq", {"records.psq"}),
        ("records", "from .psq import to_psq", {"records.psq"}),
        ("", "from .cli import main", {"cli"}),
        ("games", "def f():\n    if x:\n        import mossa.cli", {"cli"}),
        ("games", "import re, random\nfrom mossax.cli import y", set()),
    ],
)
def test_no_form_of_import_goes_unseen(module: str, text: str, imported: set[str]) -> None:
    assert set(inner_imports(module, text)) == imported


def outer_imports(module: str) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module.partition(".")[0])
    return names - sys.stdlib_module_names - {"mossa"}


def test_who_needs_other_packages() -> None:
    """Colours are for those who draw on a terminal, arguments for the command alone."""
    needs: dict[str, set[str]] = {}
    for module in MODULES:
        if outer := outer_imports(module):
            user = next(
                (each for each in ("cli", "tui", "web") if module.startswith(f"{each}.")), module
            )
            needs[user] = needs.get(user, set()) | outer
    assert needs == {
        "cluster": {"distributed"},
        "protocols.connection": {"websockets"},
        "vector": {"numpy"},
        "notebook": {"pandas"},
        "adapters.seen": {"numpy"},
        "adapters.gymnasium": {"gymnasium"},
        "adapters.pettingzoo": {"gymnasium", "pettingzoo"},
        "adapters.openspiel": {"numpy", "pyspiel", "open_spiel"},
        "protocols.listening": {"websockets"},
        "render.text": {"rich"},
        "learning.data": {"numpy"},
        "learning.export": {"numpy"},
        "learning.line_model": {"jax", "numpy"},
        "learning.pit_model": {"jax", "numpy"},
        "learning.training": {"jax", "numpy"},
        "lab.output": {"rich"},
        "lab.plots": {"matplotlib"},
        "terminal": {"rich"},
        "tui": {"rich", "textual"},
        "web": {"fastapi", "starlette", "pydantic", "segno", "uvicorn"},
        "cli": {"rich", "typer"},
    }


@pytest.mark.parametrize(
    ("work", "spared"),
    [
        (
            "import mossa; repr(mossa.game('connect4').start()); mossa.player('alphabeta')",
            {
                "rich",
                "typer",
                "textual",
                "matplotlib",
                "distributed",
                "fastapi",
                "numpy",
                "mossa.cli",
            },
        ),
        (
            "from mossa import cli, lab;"
            "lab.measure(lab.experiment('quatro-times'), lab.Settings(quick=True)).tables",
            {"matplotlib", "distributed", "fastapi", "uvicorn", "jax", "numpy", "textual"},
        ),
    ],
    ids=["the library", "the lab"],
)
def test_what_is_not_needed_is_not_loaded(work: str, spared: set[str]) -> None:
    program = f"{work}; import sys; print(*{spared} & {{*sys.modules}})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("\n", "")


def subclasses_of(base: type[object]) -> Iterator[type[object]]:
    for each in base.__subclasses__():
        yield each
        yield from subclasses_of(each)


player_kinds()  # loads what is loaded on demand: players from outside are players too
PLAYER_CLASSES = {
    "Player",
    *(each.__name__ for each in subclasses_of(mossa.Player)),
    "MinimalPlayer",
}
ABILITIES = {name for name in vars(mossa.Player) if not name.startswith("_")}


def questions_of_class(text: str) -> Iterator[str]:
    """Where a module asks of which class a player is, or looks for one of its abilities."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call) or len(node.args) < 2:
            continue
        asked, second = ast.unparse(node.func), ast.unparse(node.args[1])
        words = set(re.findall(r"\w+", second))
        if asked in ("isinstance", "issubclass") and words & PLAYER_CLASSES:
            yield ast.unparse(node)
        if asked in ("getattr", "hasattr") and words & ABILITIES:
            yield ast.unparse(node)


def test_players_are_asked_what_they_can_do_not_what_they_are() -> None:
    others = {module: path for module, path in MODULES.items() if not module.startswith("players")}
    asked = {each: list(questions_of_class(others[each].read_text("utf-8"))) for each in others}
    assert not {module: questions for module, questions in asked.items() if questions}


@pytest.mark.parametrize(
    "text",
    [
        "isinstance(player, SearchPlayer | Chooser)",
        "if isinstance(x.player, (HumanPlayer, int)): pass",
        "isinstance(program, drive.UgiPlayer)",
        'getattr(player, "keeps_time", False)',
        'hasattr(player, "prove")',
    ],
)
def test_no_question_of_class_goes_unseen(text: str) -> None:
    assert list(questions_of_class(text))


# --- games ----------------------------------------------------------------------------------------

OF_ONE_GAME = {
    "adapters/kaggle/serve.py": "Kaggle's ConnectX is connect",
    "adapters/openspiel_games.py": "says which of OpenSpiel's games is which of ours",
    "protocols/gomocup/drive.py": "Gomocup is a protocol of mnk",
    "protocols/gomocup/serve.py": "Gomocup is a protocol of mnk",
    "protocols/kgp/words.py": "KGP is a protocol of kalah",
    "protocols/manchester/serve.py": "the Manchester protocol is of kalah",
    "solving/certificates/connect.py": "proofs of connect, with rules of their own",
    "solving/certificates/kalah.py": "proofs of kalah, with rules of their own",
    "solving/certificates/mnk.py": "proofs of mnk, with rules of their own",
}
"""The files that may say the name of a game, and why."""


def named_kinds(path: pathlib.Path) -> list[str]:
    """The places of a file that name a kind of game, instead of asking what it is."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".js":
        found = re.finditer(rf"""["'`]({"|".join(KINDS)})["'`]|\bkind\s*[=!]==?""", text)
        return [f"{path.name}:{text.count(chr(10), 0, each.start()) + 1}" for each in found]
    return [
        f"{path.name}:{node.lineno}"
        for node in ast.walk(ast.parse(text))
        if (isinstance(node, ast.Constant) and node.value in KINDS)
        or (isinstance(node, ast.Compare) and re.search(r"game\w*\.kind\b", ast.unparse(node)))
    ]


def test_a_game_is_asked_what_it_is_and_not_what_it_is_called() -> None:
    others = {path.relative_to(PACKAGE).as_posix(): path for path in FILES}
    assert set(OF_ONE_GAME) <= set(others)
    assert not [
        place
        for name, path in others.items()
        if name not in OF_ONE_GAME
        for place in named_kinds(path)
    ]
