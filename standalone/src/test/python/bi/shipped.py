"""The rows that were shipped, and what questions about them must give."""

import json
import re
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

_MINUTE = 60_000_000


@dataclass(frozen=True)
class Row:
    """`ts` is in microseconds since 1970."""

    ts: int
    level: str
    message: str
    n: int


class Shipped:
    def __init__(self, file):
        self.rows = [_row(json.loads(line)) for line in Path(file).read_text().splitlines()]

    def by_time_and_level(self, minutes):
        """Counts by (start of so many minutes in milliseconds, level)."""
        size = minutes * _MINUTE
        return Counter((row.ts // size * size // 1_000, row.level) for row in self.rows)

    def by_level(self):
        return Counter(row.level for row in self.rows)

    def with_error(self):
        """What match(message, 'error') is true for."""
        return [row for row in self.rows if re.search(r"\berror\b", row.message, re.IGNORECASE)]

    def newest(self, count):
        return sorted(self.rows, key=lambda row: -row.ts)[:count]

    def first(self):
        return min(row.ts for row in self.rows)

    def last(self):
        return max(row.ts for row in self.rows)

    def period(self):
        """Whole minutes that hold all rows, as Superset writes them."""
        start, end = self.first() // _MINUTE, self.last() // _MINUTE + 1
        return " : ".join(datetime.fromtimestamp(minute * 60, timezone.utc).isoformat()[:19] for minute in (start, end))


def _row(members):
    at = datetime.fromisoformat(members["ts"].replace("Z", "+00:00"))
    micros = int(at.replace(microsecond=0).timestamp()) * 1_000_000 + at.microsecond
    return Row(micros, members["level"], members["message"], members["n"])
