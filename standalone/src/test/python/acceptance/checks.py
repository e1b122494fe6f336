"""What is checked of each tenant through SQL."""

import zlib
from collections import Counter

from trino.exceptions import TrinoUserError

from acceptance.analyzer import tokens
from acceptance.decoding import is_text
from acceptance.matching import compile_keyword, compile_text
from acceptance.names import literal, quoted
from acceptance.queries import choose
from acceptance.rows import canonical, micros, sql_time
from acceptance.stack import STREAM

_IDENTITY = '"$kafka_partition", "$kafka_offset"'
_MALFORMED = ("", "*", '"open', "(a", "a)", "OR a", "a NOT", "--")
_FEW_ROWS = 100
_BASE = {"tenant_id", "ts", "attributes"}
_SHOWN_BASE = {"tenant_id": "varchar", "ts": "timestamp(6) with time zone", "attributes": "map(varchar, varchar)"}


class TenantChecks:
    """The checks of one tenant's table. Not thread-safe."""

    def __init__(self, report, stack, tenant, schema, expected, seed, thorough):
        self.report, self.tenant, self.expected = report, tenant, expected
        self.sql = stack.sql()
        self.scanning = stack.sql(session={"cordwood.use_index": "false"})
        self.table = f"cordwood.{quoted(schema)}.{STREAM}"
        self.schema, self.seed, self.thorough = schema, seed, thorough

    def run(self):
        self._run(
            self.totals,
            self.columns,
            self.rows,
            self.order,
            self.levels,
            self.text,
            self.keywords,
            self.numbers,
            self.tier,
        )

    def run_again(self):
        """Each cell and one full text search of each kind, for a table whose files are others than when `run` was."""
        self._run(self.totals, self.rows, self.searches)

    def _run(self, *checks):
        for check in checks:
            try:
                check()
            except Exception as error:  # noqa: BLE001 a check that cannot run is a difference, the others go on
                self.report.failed(self.tenant, check.__name__, error)

    def check(self, name, expected, actual):
        return self.report.check(self.tenant, name, expected, actual)

    def totals(self):
        rows = self.expected.rows
        times = [row.ts for row in rows]
        self.check("count(*)", len(rows), self.sql.value(f"SELECT count(*) FROM {self.table}"))
        self.check(
            "min, max ts",
            (min(times), max(times)),
            tuple(map(micros, self.sql.rows(f"SELECT min(ts), max(ts) FROM {self.table}")[0])),
        )

    def shown_columns(self):
        """Columns with their types as SQL shows them: a twin lends its column the type double."""
        shown = dict(_SHOWN_BASE)
        for name, kind in self.expected.columns.items():
            if name not in self.expected.twins:
                shown[name] = "double" if name + ".double" in self.expected.twins else kind
        return shown

    def columns(self):
        found = dict(
            self.sql.rows(
                "SELECT column_name, data_type FROM cordwood.information_schema.columns"
                f" WHERE table_schema = {literal(self.schema)} AND table_name = {literal(STREAM)}"
            )
        )
        shown = self.shown_columns()
        self.check("columns and types", *only_different(shown, found))

    def rows(self):
        names = [name for name in self.shown_columns() if name not in _BASE]
        listed = "".join(f", {quoted(name)}" for name in names)
        found = {}
        for row in self.sql.rows(f"SELECT {_IDENTITY}, tenant_id, ts, attributes{listed} FROM {self.table}"):
            if row[:2] in found:
                self.report.failed(self.tenant, "row by row", f"partition {row[0]}, offset {row[1]} stands there twice")
            found[row[:2]] = row[2:]
        differences = Counter()
        shown = []
        for row in self.expected.rows:
            actual = found.pop((row.partition, row.offset), None)
            if actual is None:
                differences["row missing"] += 1
                continue
            expected = [("tenant_id", self.tenant), ("ts", row.ts), ("attributes", row.attributes)]
            expected += [(name, self._shown(row, name)) for name in names]
            for (name, value), cell in zip(expected, actual):
                if canonical(value) != canonical(cell):
                    differences[name] += 1
                    if differences[name] <= 3:
                        place = f"partition {row.partition}, offset {row.offset}, {name}"
                        shown.append(f"{place}: expected {value!r}, actual {cell!r}"[:600])
        if found:
            differences["row too many"] = len(found)
        if differences:
            print("\n".join(shown))
        self.check("row by row, all columns", {}, dict(differences))

    def _shown(self, row, name):
        value = row.cells.get(name)
        if name + ".double" not in self.expected.twins:
            return value
        twin = row.cells.get(name + ".double")
        return twin if value is None else float(value)

    def order(self):
        ordered = sorted(self.expected.rows, key=lambda row: (row.ts, row.partition, row.offset))
        for way, expected in (("ASC", ordered[:100]), ("DESC", ordered[::-1][:100])):
            found = self.sql.rows(
                f"SELECT {_IDENTITY} FROM {self.table}"
                f' ORDER BY ts {way}, "$kafka_partition" {way}, "$kafka_offset" {way} LIMIT 100'
            )
            self.check(f"order: {way}", [(row.partition, row.offset) for row in expected], found)
        middle = ordered[len(ordered) // 2].ts
        for condition, holds in (
            (">=", lambda ts: ts >= middle),
            ("<", lambda ts: ts < middle),
            ("=", lambda ts: ts == middle),
        ):
            self.check(
                f"time: ts {condition}",
                sum(holds(row.ts) for row in ordered),
                self.sql.value(
                    f"SELECT count(*) FROM {self.table} WHERE ts {condition} TIMESTAMP '{sql_time(middle)} UTC'"
                ),
            )

    def levels(self):
        if "level" not in self.expected.columns:
            return
        expected = Counter(row.cells.get("level") for row in self.expected.rows)
        found = dict(self.sql.rows(f"SELECT level, count(*) FROM {self.table} GROUP BY level"))
        self.check("counts per level", sorted(expected.items(), key=str), sorted(found.items(), key=str))

    def _text_columns(self):
        """Each with the rows that have a value, their tokens, and queries by kind."""
        for column, kind in self.expected.columns.items():
            if is_text(column) and kind == "varchar":
                valued = [(row, row.cells[column]) for row in self.expected.rows if row.cells.get(column) is not None]
                queries = choose([value for _, value in valued], f"{self.seed}/{self.tenant}/{column}")
                yield column, valued, [(row, tokens(value)) for row, value in valued], queries

    def searches(self):
        for column, _, token_lists, queries in self._text_columns():
            for kind, chosen in queries.items():
                for query in chosen[:1]:
                    holds = compile_text(query)
                    matches = [row for row, found in token_lists if holds(found)]
                    self._match(column, kind, query, matches, counted=kind == "token")

    def text(self):
        for column, valued, token_lists, queries in self._text_columns():
            if queries:
                self._around_match(column, valued, token_lists, queries)
            for kind, chosen in queries.items():
                if not self.thorough and len(valued) < _FEW_ROWS:
                    chosen = chosen[:5]
                for i, query in enumerate(chosen):
                    holds = compile_text(query)
                    matches = [row for row, found in token_lists if holds(found)]
                    self._match(column, kind, query, matches, counted=self.thorough or i % 5 == 0)
                    if kind == "boolean" or i == 1:
                        self._rows_where(
                            f"without index: {query}", matching(column, query), column, matches, self.scanning
                        )

    def _around_match(self, column, valued, token_lists, queries):
        """`match` within SQL: under NOT, where nulls stay out, beside another condition; LIKE; malformed queries."""
        query = queries["boolean"][1]
        holds = compile_text(query)
        matching_rows = {id(row) for row, found in token_lists if holds(found)}
        condition = matching(column, query)
        unmatched = [row for row, _ in valued if id(row) not in matching_rows]
        self._rows_where(f"not match: {query}", f"NOT {condition}", column, unmatched)
        ordered = sorted(row.ts for row, _ in valued)
        middle = ordered[len(ordered) // 2]
        later = f"ts >= TIMESTAMP '{sql_time(middle)} UTC'"
        both = [row for row, _ in valued if id(row) in matching_rows and row.ts >= middle]
        either = [row for row, _ in valued if id(row) in matching_rows or row.ts >= middle]
        self._rows_where(f"match and time: {query}", f"{condition} AND {later}", column, both)
        some = f"{quoted(column)} IS NOT NULL"
        self._rows_where(f"match or time: {query}", f"({condition} OR {later}) AND {some}", column, either)
        for part in (
            max(queries["token"], key=len)[:8].lower(),
            queries["compound"][0] if queries["compound"] else "e",
        ):
            if set(part) & set("%_"):
                continue
            for pattern, holds in ((f"{part}%", str.startswith), (f"%{part}%", str.__contains__)):
                matches = [row for row, value in valued if holds(value, part)]
                self._rows_where(f"like: {pattern}", f"{quoted(column)} LIKE {literal(pattern)}", column, matches)
        for malformed in _MALFORMED if self.thorough or column == "log" else ():
            try:
                self.sql.rows(f"SELECT count(*) FROM {self.table} WHERE {matching(column, malformed)}")
                self.report.failed(self.tenant, f"malformed: {malformed}", "the query is taken")
            except TrinoUserError:
                self.check(f"malformed: {malformed}", "refused", "refused")

    def numbers(self):
        names = [name for name, kind in self.shown_columns().items() if kind in ("bigint", "double")]
        for name in names[: None if self.thorough else 6]:
            values = sorted(v for v in (self._shown(row, name) for row in self.expected.rows) if v is not None)
            middle = values[len(values) // 2]
            expected = sum(value >= middle for value in values)
            number = f"DOUBLE '{middle!r}'" if isinstance(middle, float) else str(middle)
            self.check(
                f"number: {name}",
                expected,
                self.sql.value(f"SELECT count(*) FROM {self.table} WHERE {quoted(name)} >= {number}"),
            )

    def keywords(self):
        columns = [name for name, kind in self.expected.columns.items() if kind == "varchar" and not is_text(name)]
        for column in columns[: None if self.thorough else 6]:
            values = Counter(row.cells[column] for row in self.expected.rows if row.cells.get(column))
            # A query without a token is an error for keyword columns, too.
            usable = sorted(v for v in values if len(v) < 200 and not set(v) & set('"*()\0') and tokens(v))
            for value in usable[:: max(1, len(usable) // 2)][:2]:
                rows = [row for row in self.expected.rows if row.cells.get(column) is not None]
                equal = [row for row in rows if row.cells[column] == value]
                self._rows_where(f"keyword: {column} = {value}", f"{quoted(column)} = {literal(value)}", column, equal)
                holds = compile_keyword('"' + value + '"')
                self._match(
                    column,
                    "keyword match",
                    '"' + value.upper() + '"' if lower_is_stable(value) else '"' + value + '"',
                    [row for row in rows if holds(row.cells[column])],
                    counted=True,
                )

    def _match(self, column, kind, query, matches, counted):
        condition = matching(column, query)
        self._rows_where(f"{kind}: {query}", condition, column, matches)
        if counted:
            self.check(
                f"{kind}: {query} count(*)",
                len(matches),
                self.sql.value(f"SELECT count(*) FROM {self.table} WHERE {condition}"),
            )

    def _rows_where(self, name, condition, column, matches, sql=None):
        found = (sql or self.sql).rows(
            f"SELECT {_IDENTITY}, ts, crc32(to_utf8({quoted(column)})) FROM {self.table} WHERE {condition}"
        )
        found = sorted((partition, offset, micros(ts), crc) for partition, offset, ts, crc in found)
        expected = sorted((row.partition, row.offset, row.ts, zlib.crc32(row.cells[column].encode())) for row in matches)
        if expected != found:
            missing, surplus = Counter(expected) - Counter(found), Counter(found) - Counter(expected)
            shown = (
                f"{len(found)} rows; missing {sorted(missing)[:5]} ({sum(missing.values())}),"
                f" too many {sorted(surplus)[:5]} ({sum(surplus.values())})"
            )
            self.check(name, f"{len(expected)} rows", shown)
        else:
            self.check(name, f"{len(expected)} rows", f"{len(found)} rows")

    def tier(self):
        self.check("tier", [("cold",)], self.sql.rows(f'SELECT DISTINCT "$tier" FROM {self.table}'))
        paths = self.sql.rows(f'SELECT DISTINCT "$path" FROM {self.table}')
        self.check("objects of other tenants", [], [p for (p,) in paths if f"/{self.schema}/{STREAM}/" not in p])


def matching(column, query):
    return f"match({quoted(column)}, {literal(query)})"


def only_different(expected, actual):
    """Two mappings without what they share, and with their sizes."""
    shared = expected.items() & actual.items()
    return tuple((len(side), sorted(side.items() - shared)) for side in (expected, actual))


def lower_is_stable(value):
    """Whether upper case leads back to the same value in lower case."""
    return value.isascii()
