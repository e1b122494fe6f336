"""Turns a Kafka record into rows by docs/use/records.md: event time, columns with types, attributes."""

import datetime
import json
import json.decoder
import json.scanner
import re
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation

from acceptance.analyzer import lower

MOST_COLUMNS = 200
FUTURE_MICROS = 3_600_000_000
TEXT_SEGMENTS = {"message", "msg", "log", "body", "text", "error", "exception", "stack", "stack_trace"}
BIGINT_LIMIT = 1 << 63

_TIME_MEMBERS = ("ts", "@timestamp", "timestamp", "time")
_RFC_3339 = re.compile(r"(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:[.,](\d+))?([Zz]|[+-]\d\d:\d\d)?", re.ASCII)
_EPOCH = datetime.datetime(1970, 1, 1)


@dataclass(frozen=True)
class Number:
    """A JSON number with its text."""

    text: str

    @property
    def is_integer(self):
        return not any(c in self.text for c in ".eE")

    @property
    def is_bigint(self):
        return self.is_integer and -BIGINT_LIMIT <= int(self.text) < BIGINT_LIMIT


@dataclass(frozen=True)
class Array:
    """A JSON array as text."""

    text: str


def parse(text):
    """A JSON object: members as (name, value) pairs in order; numbers and arrays keep their text."""
    value, end = _value(text, _blank(text, 0))
    if _blank(text, end) != len(text) or not isinstance(value, list):
        raise ValueError("not one JSON object")
    return value


_BLANK = re.compile(r"[ \t\r\n]*")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?", re.ASCII)
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_ARRAY = json.JSONDecoder()
_WORDS = {"true": True, "false": False, "null": None}


def _blank(text, at):
    return _BLANK.match(text, at).end()


def _value(text, at):
    c = text[at]
    if c == '"':
        value, end = json.decoder.scanstring(text, at + 1)
        return _LONE_SURROGATE.sub(lambda found: f"\\u{ord(found.group()):04x}", value), end
    if c == "[":
        end = _ARRAY.raw_decode(text, at)[1]
        return Array(text[at:end]), end
    if c == "{":
        return _members(text, at)
    for word, value in _WORDS.items():
        if text.startswith(word, at):
            return value, at + len(word)
    number = _NUMBER.match(text, at)
    if not number:
        raise ValueError(f"no JSON value at {at}")
    return Number(number.group()), number.end()


def _members(text, at):
    members = []
    at = _blank(text, at + 1)
    while text[at] != "}":
        name, at = json.decoder.scanstring(text, at + 1)
        at = _blank(text, at)
        if text[at] != ":":
            raise ValueError(f"no colon at {at}")
        value, at = _value(text, _blank(text, at + 1))
        members.append((name, value))
        at = _blank(text, at)
        if text[at] == ",":
            at = _blank(text, at + 1)
    return members, at + 1


def event_time(value):
    """Microseconds since the epoch of a member's value, or None if it is no time."""
    if isinstance(value, Number):
        try:
            number = Decimal(value.text)
        except InvalidOperation:
            return None
        magnitude = abs(number)
        scale = (
            1_000_000
            if magnitude < 10**11
            else 1_000
            if magnitude < 10**14
            else 1
            if magnitude < 10**17
            else Decimal("0.001")
        )
        return int(number * scale)
    found = _RFC_3339.fullmatch(value) if isinstance(value, str) else None
    if not found:
        return None
    try:
        instant = datetime.datetime(*(int(found.group(i)) for i in range(1, 7)))
    except ValueError:
        return None
    micros = (instant - _EPOCH) // datetime.timedelta(microseconds=1)
    micros += int(((found.group(7) or "") + "000000")[:6])
    zone = found.group(8)
    if zone and zone not in "Zz":
        minutes = int(zone[1:3]) * 60 + int(zone[4:6])
        micros -= (minutes if zone[0] == "+" else -minutes) * 60_000_000
    return micros


def is_reserved(name):
    return name in ("", "ts", "tenant_id", "attributes") or name.startswith(("attributes.", "$", "_"))


def is_text(column):
    return column.rsplit(".", 1)[-1] in TEXT_SEGMENTS


def json_text(value):
    """A scalar or an array as text: a string is itself, the integer -0 is 0."""
    if isinstance(value, Number) and value.is_bigint:
        return str(int(value.text))
    if isinstance(value, (Number, Array)):
        return value.text
    if isinstance(value, bool):
        return "true" if value else "false"
    return value


@dataclass
class Row:
    """One expected row: identity in Kafka, event time, cells by column, attributes."""

    partition: int
    offset: int
    ts: int
    cells: dict
    attributes: dict


@dataclass
class Table:
    """One expected table: folds records in Kafka's order into columns and rows."""

    columns: dict = field(default_factory=dict)
    twins: set = field(default_factory=set)
    rows: list = field(default_factory=list)

    def add(self, partition, offset, append_micros, text):
        members = parse(text)
        cells, attributes = {}, {}
        ts, used = append_micros, None
        for name in _TIME_MEMBERS:
            found = next((i for i, member in enumerate(members) if lower(member[0]) == name), None)
            time = None if found is None else event_time(members[found][1])
            if time is not None:
                ts, used = time, found
                break
        if used is not None and ts > append_micros + FUTURE_MICROS:
            attributes["ts_original"] = json_text(members[used][1])
            ts = append_micros
        for i, (name, value) in enumerate(members):
            if i != used:
                self._put(name, value, cells, attributes)
        self.rows.append(Row(partition, offset, ts, cells, attributes))

    def _put(self, name, value, cells, attributes):
        if isinstance(value, list):
            if not value:
                _attribute(lower(name), "{}", attributes)
            for member, inner in value:
                self._put(f"{name}.{member}", inner, cells, attributes)
            return
        if value is None:
            return
        column = lower(name)
        place, cell = (None, None) if is_reserved(column) else self._place(column, value)
        if place is None:
            _attribute(column, json_text(value), attributes)
        elif column in cells or column + ".double" in cells:
            _attribute(name, json_text(value), attributes)
        else:
            cells[place] = cell
            if isinstance(cell, float) and value.is_integer and int(cell) != int(value.text):
                _attribute(column, json_text(value), attributes)
            elif isinstance(cell, float) and value.is_integer and not value.is_bigint:
                _attribute(column, json_text(value), attributes)

    def _place(self, name, value):
        if name not in self.columns:
            if any(ord(c) < 32 or 127 <= ord(c) < 160 for c in name) or len(name.encode()) > 512:
                return None, None
            if len(self.columns) - len(self.twins) >= MOST_COLUMNS:
                return None, None
            self.columns[name] = first_type(value)
        kind = self.columns[name]
        if kind == "varchar":
            return name, json_text(value)
        if kind == "boolean" and isinstance(value, bool):
            return name, value
        if isinstance(value, Number) and kind == "double":
            return name, float(value.text)
        if isinstance(value, Number) and kind == "bigint":
            if value.is_bigint:
                return name, int(value.text)
            twin = name + ".double"
            self.twins.add(twin)
            self.columns[twin] = "double"
            return twin, float(value.text)
        return None, None


def _attribute(name, text, attributes):
    key, copies = name, 1
    while key in attributes:
        copies += 1
        key = f"{name}#{copies}"
    attributes[key] = text


def first_type(value):
    """The type that a column gets from its first value."""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, Number):
        return "bigint" if value.is_bigint else "double"
    return "varchar"
