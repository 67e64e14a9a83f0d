"""Check a commit message: `area: imperative` in 72 characters, and a body that says why.

    python3 .githooks/commit_message.py FILE

Prints what is wrong, a line each, and exits with 1. CONTRIBUTING.md has the rules.
"""

import re
import sys
from pathlib import Path

LONGEST = 72
# Git writes these subjects itself.
WRITTEN_BY_GIT = re.compile(r"(Merge |Revert \"|Reapply \"|fixup! |squash! |amend! )")
SUBJECT = re.compile(r"[a-z][a-z0-9_./, -]*: (?P<deed>\S.*)")
# What tells what was done instead of what the commit does. Any verb may end like that ("speed",
# "bring"), so only the usual ones are known.
USUAL = "add|allow|change|fix|improve|make|move|remove|rename|update|use"
NOT_IMPERATIVE = re.compile(rf"({USUAL})(s|es|d|ed)$|(add|chang|fix|mov|remov|updat|us)ing$", re.I)
TRAILER = re.compile(r"(Bench|[A-Z][\w-]*-by): ")
SCISSORS = re.compile(r"^# -+ >8 -+$.*", re.MULTILINE | re.DOTALL)


def problems(message: str) -> list[str]:
    """Return what is wrong with a message; comments are not part of it."""
    lines = [line.rstrip() for line in SCISSORS.sub("", message).splitlines() if line[:1] != "#"]
    subject, *rest = "\n".join(lines).strip().splitlines() or [""]
    if WRITTEN_BY_GIT.match(subject):
        return []
    found = []
    if len(subject) > LONGEST:
        found.append(f"subject {subject!r} has {len(subject)} characters; at most {LONGEST} fit")
    form = SUBJECT.fullmatch(subject)
    if form is None:
        wanted = "accepted: an area in lower case and what to do, 'kalah: refuse a swap'"
        found.append(f"subject {subject!r} does not name its area; {wanted}")
    elif NOT_IMPERATIVE.match(verb := form["deed"].split()[0]):
        found.append(f"subject {subject!r} says {verb!r}; use the imperative, as in an order")
    if subject.endswith("."):
        found.append(f"subject {subject!r} ends with a full stop; leave it out")
    if rest and rest[0]:
        found.append(f"line 2 is {rest[0]!r}; leave it empty, so that the subject stands alone")
    if not any(line and not TRAILER.match(line) for line in rest):
        found.append("there is no body; say why the change is made")
    for line in rest:
        if line.startswith("Bench:") and not re.fullmatch(r"Bench: \d+", line):
            found.append(f"{line!r} is no signature; accepted: 'Bench: N', as mossa bench prints N")
    return found


if __name__ == "__main__":
    file = Path(sys.argv[1])
    wrong = problems(file.read_text(encoding="utf-8"))
    for problem in wrong:
        print(f"commit message: {problem}", file=sys.stderr)
    if wrong:
        sys.exit(f'Nothing was committed. To mend the message: git commit -e -F "{file}"')
