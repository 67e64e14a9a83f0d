"""The process in which a submission for Kaggle runs: ``host.py SUBMISSION LOG FOLDER``.

It uses nothing but Python's own library, so that any Python can run it. The submission is a file, a
folder with main.py, or an archive, which is unpacked into FOLDER. Its code is executed as Kaggle
does it: not as a module, without ``__file__``, and the last thing defined that can be called is the
agent. Questions come in as lines of JSON, and each is answered by a line of JSON. What the
submission prints goes to LOG, or to standard error if LOG is empty; its own input is empty.
"""

from __future__ import annotations

import json
import os
import sys
import tarfile
import traceback
from pathlib import Path
from typing import Any, Callable, TextIO  # noqa: UP035 - older Pythons run this too

MAIN = "main.py"
"""The file of an archive, or of a folder, that has the agent."""

MOST_BYTES = 1 << 30
"""The largest archive, unpacked, in bytes."""

LONGEST = 300
"""The longest reason, in characters."""


class Struct(dict):  # type: ignore[type-arg]
    """A dictionary whose items are attributes too: agents use both."""

    def __getattr__(self, name: str) -> Any:
        """Return an item."""
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: Any) -> None:
        """Set an item."""
        self[name] = value


def main() -> None:
    """Load the submission, say whether that worked, and answer questions until they end."""
    submission, log, folder = sys.argv[1:4]
    questions, answers = _take_pipes(log)

    def say(answer: dict[str, Any]) -> None:
        answers.write(json.dumps(answer) + "\n")
        answers.flush()

    here = str(Path(__file__).parent)
    sys.path[:] = [each for each in sys.path if each != here]  # what lies here is not for it
    home = Path(submission)
    try:
        path = _find_main(submission, folder)
        home = path.parent
        sys.argv = [str(path)]
        os.chdir(home)
        agent = _load(path)
    except BaseException as error:  # sys.exit() too
        say({"failed": _reason(error, home)})
        return
    say({"ready": True})
    for line in questions:
        if not line.strip():
            return
        say(_answer(agent, path, json.loads(line)))


def _take_pipes(log: str) -> tuple[TextIO, TextIO]:
    """Keep the pipes for questions and answers, and give the submission others."""
    questions = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    if log:
        os.dup2(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644), 2)
    os.dup2(2, 1)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True, errors="backslashreplace")  # type: ignore[union-attr]
    return questions, answers


# ---------------------------------------------------------------- the submission


def _find_main(submission: str, folder: str) -> Path:
    """Return the file with the agent; an archive is unpacked first."""
    path = Path(submission)
    if path.is_file() and path.suffix != ".py":
        _unpack(path, Path(folder))
        path = Path(folder)
    if path.is_dir():
        path /= MAIN
        if not path.is_file():
            raise FileNotFoundError(f"there is no {MAIN} at its top")
    return path.resolve()


def _unpack(archive: Path, folder: Path) -> None:
    """Write the files of an archive into a folder, and nowhere else."""
    folder = folder.resolve()
    total = 0
    with tarfile.open(archive) as files:
        for each in files:
            if each.isdir():
                continue
            target = (folder / each.name).resolve()
            source = files.extractfile(each) if each.isfile() else None
            if source is None or folder not in target.parents:
                raise ValueError(f"{each.name!r} in it is not a plain file inside its folder")
            total += each.size
            if total > MOST_BYTES:
                raise ValueError(f"it unpacks to more than {MOST_BYTES >> 20} MB")
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("wb") as copy:
                while block := source.read(1 << 20):
                    copy.write(block)
            target.chmod(0o700 if each.mode & 0o100 else 0o600)


def _load(path: Path) -> Callable[..., Any]:
    """Return the agent of a file: the last of its names that can be called."""
    code = compile(path.read_text(encoding="utf-8"), str(path), "exec")
    sys.path.append(str(path.parent))
    names: dict[str, Any] = {}
    exec(code, names)
    found: list[Callable[..., Any]] = [each for each in names.values() if callable(each)]
    if not found:
        raise ValueError(f"{path.name} defines no function")
    return found[-1]


# ---------------------------------------------------------------- questions


def _answer(agent: Callable[..., Any], path: Path, question: dict[str, Any]) -> dict[str, Any]:
    """Return the column that the agent wants, or what it did instead."""
    configuration = Struct(question["configuration"])
    configuration["__raw_path__"] = str(path)
    given = [Struct(question["observation"]), configuration]
    if hasattr(agent, "__code__"):
        given = given[: agent.__code__.co_argcount]
    try:
        column = agent(*given)
    except BaseException as error:  # sys.exit() loses the game, no more
        traceback.print_exc()
        return {"crash": _reason(error, path.parent)}
    # Kaggle wants an int: those of NumPy, which are none, lose there too.
    if isinstance(column, int) and not isinstance(column, bool):
        number = int(column)
        return {"column": number if abs(number) < 1 << 31 else 1 << 31}
    shown = "None" if column is None else _shown(column)
    return {"output": f"returned {shown}, which is not a column: return an int, counted from 0"}


def _shown(thing: object) -> str:
    """Return a value and its type, whatever it does when it is asked for its text."""
    kind = type(thing)
    name = kind.__qualname__
    try:
        name = name if kind.__module__ == "builtins" else f"{kind.__module__}.{name}"
        text = _short(repr(thing), 80)
    except BaseException:
        text = "something"
    return f"{text} ({name})"


def _reason(error: BaseException, home: Path) -> str:
    """Return where the submission failed, and how: ``main.py:7: ValueError: no such thing``."""
    places = [
        (Path(frame.f_code.co_filename), line)
        for frame, line in traceback.walk_tb(error.__traceback__)
    ]
    if isinstance(error, SyntaxError) and error.filename:
        places.append((Path(error.filename), error.lineno or 0))
    own = [f"{file.relative_to(home)}:{line}" for file, line in places if home in file.parents]
    try:
        message = (error.msg if isinstance(error, SyntaxError) else str(error)) or ""
    except BaseException:  # an exception of other people's code may fail to tell what it is
        message = ""
    if isinstance(error, OSError) and error.strerror:
        message = error.strerror
    return _short(": ".join(filter(None, (*own[-1:], type(error).__name__, message))), LONGEST)


def _short(text: str, longest: int) -> str:
    """Return a text in one line that is not too long."""
    text = " ".join(text.split())
    return text if len(text) <= longest else text[:longest] + "..."


if __name__ == "__main__":
    main()
