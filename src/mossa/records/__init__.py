"""Game records: games as they were played, in files that people, programs and other managers read.

`branches.py` says how moves and their branches are written, `record.py` what a record is; `text`,
`jsonl`, `sgf` and `psq` each read and write one format; `files.py` picks the format and guards the
files.
"""

from mossa.records.files import (
    branches_left_out,
    form_of,
    parse_records,
    read_records,
    write_records,
)
from mossa.records.jsonl import to_jsonl
from mossa.records.psq import to_psq
from mossa.records.record import InvalidRecordError, Record, expect_record
from mossa.records.sgf import to_sgf
from mossa.records.text import to_text

__all__ = [
    "InvalidRecordError",
    "Record",
    "branches_left_out",
    "expect_record",
    "form_of",
    "parse_records",
    "read_records",
    "to_jsonl",
    "to_psq",
    "to_sgf",
    "to_text",
    "write_records",
]
