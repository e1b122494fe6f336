"""One form of a row for all engines, and an order-independent hash over all rows of a table."""

import datetime
import hashlib
import json

_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
_MICROSECOND = datetime.timedelta(microseconds=1)


def micros(time):
    return (time - _EPOCH) // _MICROSECOND


def sql_time(micros):
    """A time as SQL writes it."""
    return (_EPOCH + micros * _MICROSECOND).strftime("%Y-%m-%d %H:%M:%S.%f")


def canonical(value):
    """A cell as text, the same for every engine. JSON arrays lose their blanks; an empty map is no map."""
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, datetime.datetime):
        return str(micros(value))
    if isinstance(value, (dict, list)):
        entries = dict(value)
        if not entries:
            return None
        return json.dumps(sorted((k, canonical(v)) for k, v in entries.items()), ensure_ascii=False)
    if value[:1] == "[" and value[-1:] == "]":
        try:
            return json.dumps(json.loads(value), ensure_ascii=False, separators=(",", ":"))
        except ValueError:
            return value
    return value


class TableHash:
    """Counts rows and adds up their hashes: equal for equal multisets of rows. Not thread-safe."""

    def __init__(self, columns):
        self._order = sorted(range(len(columns)), key=lambda i: columns[i])
        self._names = [columns[i] for i in self._order]
        self.count = 0
        self.sum = 0

    def add(self, row):
        parts = []
        for name, i in zip(self._names, self._order):
            cell = canonical(row[i])
            if cell is not None:
                parts.append(f"{name}\x1f{cell}")
        text = "\x1e".join(parts)
        digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        self.sum = (self.sum + int.from_bytes(digest, "big")) & 0xFFFFFFFFFFFFFFFF
        self.count += 1

    def __str__(self):
        return f"{self.count} rows {self.sum:016x}"
