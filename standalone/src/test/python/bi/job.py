"""What each tool is to do: where the lake is, who asks, and what was shipped."""

import json
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlparse

CATALOG = "cordwood"
SCHEMA = "acme"
TABLE = "logs"


@dataclass(frozen=True)
class User:
    """On an open stack, users have no tokens."""

    name: str
    token: str


@dataclass(frozen=True)
class Job:
    """`reader` may read SCHEMA, `stranger` may not. `authorities` is empty on an open stack. dbt needs no browser."""

    trino: str
    authorities: str
    reader: User
    stranger: User
    rows: str
    browser: dict | None = None

    @staticmethod
    def read(file):
        members = json.loads(Path(file).read_text())
        users = {name: User(**members.pop(name)) for name in ("reader", "stranger")}
        return Job(**members, **users)

    @property
    def closed(self):
        return bool(self.authorities)

    @property
    def host(self):
        return urlparse(self.trino).hostname

    @property
    def port(self):
        return urlparse(self.trino).port

    def uri(self, user):
        """For SQLAlchemy."""
        login = quote(user.name, safe="")
        if self.closed:
            login += ":" + quote(user.token, safe="")
        return f"trino://{login}@{self.host}:{self.port}/{CATALOG}"


def same(what, expected, found):
    """Fails unless both are equal, and says how large what was compared is."""
    if expected != found:
        lines = (f"{what}:", f" expected {_short(expected)}", f" found    {_short(found)}", _first(expected, found))
        raise AssertionError("\n".join(lines))
    size = f"{len(found):,} values" if isinstance(found, (list, dict)) else repr(found)
    print(f"{what}: right ({size})", flush=True)


def holds(what, text, *parts):
    """Fails unless all parts are in the text."""
    for part in parts:
        if part not in text:
            raise AssertionError(f"{what}: no '{part}' in: {text}")
    print(f"{what}: {' '.join(text.split())[:200]}", flush=True)


def _short(value):
    text = repr(value)
    return text if len(text) <= 600 else f"{text[:600]} ..."


def _first(expected, found):
    if not isinstance(expected, list) or not isinstance(found, list):
        return ""
    for number, (one, other) in enumerate(zip(expected, found)):
        if one != other:
            return f" first difference at {number}: {one!r}, {other!r}"
    return f" lengths: {len(expected)}, {len(found)}"
