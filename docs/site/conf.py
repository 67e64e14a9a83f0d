"""The documentation as a site that needs no network: `make docs` builds it in build/site.

The source is the whole project, not only `docs/`: pages link to each other as files
(`../core/README.md`), and the site has the same layout, so the links hold in both.
"""

import re
import shutil
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

ROOT = Path(__file__).parents[2]

project = "mossa"
html_title = "mossa"
root_doc = "README"
include_patterns = [
    "*.md",
    "benchmarks/**.md",
    "core/README.md",
    "docs/**.md",
    "examples/README.md",
    "tests/data/README.md",
]
# Folders whose files would all be looked at, and the page of the package index.
exclude_patterns = [".*", "build", "dist", "PACKAGE.md"]
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_copybutton"]
html_theme = "furo"
html_favicon = "../../src/mossa/web/static/icon.svg"
html_static_path = ["static"]
html_css_files = ["extra.css"]
html_additional_pages = {"index": "home.html"}
templates_path = ["templates"]
html_copy_source = False
html_show_copyright = html_show_sphinx = False

# The side bar: sections and their pages.
CONTENTS = {
    "Begin": """
        docs/journeys
        docs/journeys/install
        docs/journeys/terminal
        docs/journeys/player
        docs/journeys/bot
        docs/journeys/class
        docs/journeys/research""",
    "Play and analyse": """
        docs/web
        docs/terminal
        docs/command-line
        docs/games/*
        docs/analysis
        docs/solving
        docs/puzzles
        docs/trace
        docs/glossary""",
    "Program": """
        docs/python
        docs/api
        docs/own-games
        docs/players
        docs/frameworks
        examples/README
        docs/records
        docs/environments
        docs/ugi
        docs/kaggle
        docs/protocols""",
    "Compare": """
        docs/arena
        docs/courses
        docs/sandbox
        docs/cluster
        docs/learning
        docs/lab
        docs/reports""",
    "Work on mossa": """
        CONTRIBUTING
        RELEASING
        docs/architecture
        core/README
        tests/data/README
        benchmarks/RESULTS
        benchmarks/archive/*
        CHANGELOG
        docs/index""",
}

smartquotes = False  # quotes in code and messages stay as they are

# Markdown as GitHub reads it: links to files, links to headings by their words.
myst_heading_anchors = 4

# Docstrings: `x` is code, and public names are documented where users find them.
default_role = "code"
autodoc_default_options = {"members": True, "undoc-members": True, "member-order": "bysource"}
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True


def add_contents(app: Sphinx, name: str, source: list[str]) -> None:
    """Give the first page the side bar, which GitHub would show as a block of code."""
    if name == root_doc:
        for caption, pages in CONTENTS.items():
            options = f":hidden:\n:titlesonly:\n:glob:\n:caption: {caption}\n"
            listed = "\n".join(pages.split())
            source[0] += f"\n```{{toctree}}\n{options}\n{listed}\n```\n"


def read_core(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Show what the compiled core says about itself: constructors, types, overloads once."""
    constructor = getattr(obj, "__init__", None) if what == "class" else None
    if hasattr(constructor, "__nb_signature__"):
        made = (constructor.__doc__ or "").partition("\n")[0].replace("mossa._core.", "")
        arguments = re.sub(r"^__init__\(self(, )?|\) -> None$", "", made)
        lines += ["", f"``{obj.__name__}({arguments})``"]
    described = obj.fget if isinstance(obj, property) else obj
    signatures = getattr(described, "__nb_signature__", ())
    if isinstance(obj, property) and signatures:
        kind = signatures[0][0].rpartition(" -> ")[2].replace("mossa._core.", "")
        if lines and lines[0].startswith("(self)"):  # it has no words of its own
            lines.clear()
        lines += ["", f":type: {kind}"]
    elif len(signatures) > 1:
        said = dict.fromkeys(text for _, text, _ in signatures if text)
        lines[:] = [line for text in said for line in (*text.splitlines(), "")]


def drop_self(app: Sphinx, doctree: nodes.document) -> None:
    """Show the parameters of the core's methods as those of others: without `self`."""
    for parameter in list(doctree.findall(addnodes.desc_parameter)):
        if parameter.astext() == "self":
            parameter.parent.remove(parameter)


def copy_images(app: Sphinx, failed: Exception | None) -> None:
    """Put the pictures that pages show by HTML where they have them."""
    if failed is None:
        for path in (ROOT / "docs" / "images").glob("*.*g"):
            target = Path(app.outdir) / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)


def setup(app: Sphinx) -> None:
    """Join these functions to the build."""
    app.connect("source-read", add_contents)
    app.connect("autodoc-process-docstring", read_core)
    app.connect("doctree-read", drop_self)
    app.connect("build-finished", copy_images)
