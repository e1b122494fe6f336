"""What Trino's Python client gives: types of values, parameters of prepared statements."""

import datetime

from acceptance.stack import STREAM

TENANT = "types"
VALUES = (
    b'{"ts": "2026-01-10T10:00:00.123456Z", "text": "it\'s \\"quoted\\", 100 %", "n": 9223372036854775807, "x": 1.5, '
    b'"ok": true, "_note": "kept"}',
    b'{"ts": "2026-01-10T11:00:00Z", "n": 6}',
)
_TIME = datetime.datetime(2026, 1, 10, 10, 0, 0, 123456, datetime.timezone.utc)
_COLUMNS = ["ts", "text", "n", "x", "ok", "attributes"]
_ROW = [_TIME, 'it\'s "quoted", 100 %', 2**63 - 1, 1.5, True, {"_note": "kept"}]


def check(report, stack):
    """Asks for the rows of VALUES with both ways that the client has for parameters."""
    for legacy in (True, False):
        how = "PREPARE" if legacy else "EXECUTE IMMEDIATE"
        sql = stack.sql(legacy_prepared_statements=legacy)
        selected = f"SELECT {', '.join(_COLUMNS)} FROM cordwood.{TENANT}.{STREAM} WHERE "
        conditions = "ts = ? AND match(text, ?) AND n = ? AND x < ? AND ok = ? AND text LIKE ?"
        parameters = (_TIME, '"it s" OR nothing', 2**63 - 1, 1.6, True, "%100 %")
        report.check(TENANT, f"Python client: values by {how}", [_ROW], sql.lists(selected + conditions, parameters))
        nothing = sql.lists(selected + "match(text, ?)", ("absent",))
        report.check(TENANT, f"Python client: nothing by {how}", [], nothing)
    found = dict(zip(_COLUMNS, sql.lists(selected + "n = ?", (6,))[0]))
    report.check(TENANT, "Python client: NULL", [None] * 3, [found[name] for name in ("text", "x", "ok")])
    types = [(name, kind) for name, kind, *_ in sql.described(selected + "true")]
    expected = ["timestamp(6) with time zone", "varchar", "bigint", "double", "boolean", "map(varchar, varchar)"]
    report.check(TENANT, "Python client: types", list(zip(_COLUMNS, expected)), types)
