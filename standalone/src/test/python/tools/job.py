"""What each tool is to do, and what must come of it."""

import json
from dataclasses import dataclass
from pathlib import Path

OWN = ("acme", "logs")
FOREIGN = ("globex", "logs")


@dataclass(frozen=True)
class Job:
    """`own` and `foreign` are locations of files of either tenant; the token is one of a reader of the former."""

    catalog: str
    authorities: str
    trust_store: str
    token: str
    rows: int
    own: str
    foreign: str

    @staticmethod
    def read(file):
        members = json.loads(Path(file).read_text())
        return Job(**{name.replace("-", "_"): value for name, value in members.items()})

    def check_rows(self, found):
        """`found`: count, sum of `n`, first and last `n`, how many messages say whose row they are, another one."""
        last = self.rows - 1
        expected = (self.rows, self.rows * last // 2, 0, last, self.rows, f"row 4711 of {OWN[0]}")
        if tuple(found) != expected:
            raise AssertionError(f"rows: expected {expected}, found {tuple(found)}")
        print(f"rows are right: {expected}", flush=True)


# In SQL, with the engine's name for the type of texts
AGGREGATES = (
    "count(*), sum(n), min(n), max(n),"
    " count(CASE WHEN message = concat('row ', CAST(n AS {text}), ' of acme') THEN 1 END),"
    " max(CASE WHEN n = 4711 THEN message END)"
)


def refused(what, act, how):
    """`act` must fail, with these words in its error or in what caused it."""
    try:
        act()
    except Exception as error:  # noqa: BLE001 each tool has its own errors
        text = _text(error)
        if how not in text:
            raise AssertionError(f"{what}: failed, but not with '{how}': {text}") from error
        print(f"{what}: refused ({how})", flush=True)
        return
    raise AssertionError(f"{what}: was not refused")


def _text(error):
    texts = []
    while error:
        texts.append(f"{type(error).__name__}: {error}")
        error = error.__cause__ or error.__context__
    return "\n".join(texts)
