"""Superset: a connection, SQL Lab, charts and a dashboard, with the numbers that were shipped in each."""

import json
import tempfile
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from pathlib import Path

from bi import charts, pages
from bi.job import CATALOG, SCHEMA, TABLE, Job, holds, same
from bi.rest import Refused, Rest
from bi.server import ADMIN, Superset
from bi.shipped import Shipped

_COLUMNS = {
    "tenant_id": "VARCHAR",
    "ts": "TIMESTAMP(6) WITH TIME ZONE",
    "attributes": "MAP(VARCHAR, VARCHAR)",
    "level": "VARCHAR",
    "message": "VARCHAR",
    "n": "BIGINT",
}
_WITH_ERROR = "SELECT ts, level, message, n FROM logs WHERE {}(message, 'error') ORDER BY ts DESC"
_LIMIT = 10_000


def check(job_file, pictures=None):
    """Pictures of the dashboard and of SQL Lab go to that directory."""
    job = Job.read(job_file)
    with tempfile.TemporaryDirectory(prefix="superset-") as home, Superset(home) as superset:
        try:
            rest = Rest(superset.url, ADMIN, superset.password)
            made = _Check(job, rest).all()
            if pictures:
                pages.take(job.browser, superset, made, Shipped(job.rows), Path(pictures))
        except BaseException:
            print(superset.log(), flush=True)
            raise


@dataclass(frozen=True)
class Made:
    """Ids of the connection and of the dashboard."""

    lake: int
    dashboard: int


class _Check:
    def __init__(self, job, rest):
        self._job = job
        self._rest = rest
        self._shipped = Shipped(job.rows)

    def all(self):
        self._lake = self._connect("lake", self._job.reader)
        self._metadata()
        self._sql_lab()
        self._dataset()
        dashboard = self._dashboard()
        chart = charts.lines_with_error(self._shipped.period())
        self._malformed(chart)
        self._stranger(chart)
        return Made(self._lake, dashboard)

    def _connect(self, name, user):
        # The zone is that of literals of times: Superset means UTC. Without it, it is the machine's.
        connection = {
            "database_name": name,
            "sqlalchemy_uri": self._job.uri(user),
            "extra": json.dumps({"engine_params": {"connect_args": {"timezone": "UTC"}}}),
        }
        if self._job.closed:
            refused = self._refusal(lambda: self._rest.post("/api/v1/database/test_connection/", connection))
            holds("a connection without TLS", refused, "TLS/SSL is required")
            connection["server_cert"] = Path(self._job.authorities).read_text()
        tested = self._rest.post("/api/v1/database/test_connection/", connection)
        same(f"test of {name}", "OK", tested["message"])
        return self._rest.post("/api/v1/database/", {**connection, "expose_in_sqllab": True})["id"]

    def _metadata(self):
        database = f"/api/v1/database/{self._lake}"
        same("schemas", ["acme", "all_tenants", "information_schema", "system"], self._schemas(self._lake))
        tables = self._rest.get(f"{database}/tables/", schema_name=SCHEMA, force=True)["result"]
        same("tables", [(TABLE, "table")], [(table["value"], table["type"]) for table in tables])
        metadata = self._rest.get(f"{database}/table_metadata/?name={TABLE}&schema={SCHEMA}&catalog={CATALOG}")
        same("columns in SQL Lab", list(_COLUMNS), [column["name"] for column in metadata["columns"]])

    def _schemas(self, database):
        return sorted(self._rest.get(f"/api/v1/database/{database}/schemas/", force=True)["result"])

    def _query(self, sql, database=None):
        body = {"database_id": database or self._lake, "catalog": CATALOG, "schema": SCHEMA, "sql": sql}
        return self._rest.post("/api/v1/sqllab/execute/", {**body, "queryLimit": _LIMIT, "runAsync": False})["data"]

    def _sql_lab(self):
        expected = [
            {"ts": _iso(row.ts), "level": row.level, "message": row.message, "n": row.n}
            for row in sorted(self._shipped.with_error(), key=lambda row: -row.ts)
        ]
        # Superset's parser lets the second through without our configuration too
        for function in ("match", "system.builtin.match"):
            sql = _WITH_ERROR.format(function)
            same(f"SQL Lab: {function}", expected, self._query(sql))
            plan = self._query("EXPLAIN " + sql)[0]["Query Plan"]
            holds(f"plan of {function}", plan, '"match":"message"', '"query":"error"')
        newest = "SELECT n FROM TABLE(cordwood.system.tail(tenant => 'acme', rows => 10)) ORDER BY ts DESC"
        same("SQL Lab: tail", [row.n for row in self._shipped.newest(10)], [row["n"] for row in self._query(newest)])

    def _dataset(self):
        table = {"database": self._lake, "catalog": CATALOG, "schema": SCHEMA, "table_name": TABLE}
        self._logs = self._rest.post("/api/v1/dataset/", table)["id"]
        columns = self._rest.get(f"/api/v1/dataset/{self._logs}")["result"]["columns"]
        same("columns of the dataset", _COLUMNS, {column["column_name"]: column["type"] for column in columns})
        same("columns that are times", ["ts"], [column["column_name"] for column in columns if column["is_dttm"]])

    def _dashboard(self):
        period = self._shipped.period()
        per_minute, newest, with_error = (
            charts.lines_per_minute(period),
            charts.newest_rows(period),
            charts.lines_with_error(period),
        )
        self._per_minute(per_minute)
        self._newest(newest)
        same("big number", [{"count": len(self._shipped.with_error())}], self._data(with_error)["data"])
        ids = {
            chart: self._rest.post("/api/v1/chart/", chart.body(self._logs))["id"]
            for chart in (per_minute, with_error, newest)
        }
        rows = [[(chart, ids[chart]) for chart in row] for row in ((per_minute, with_error), (newest,))]
        dashboard = self._rest.post("/api/v1/dashboard/", charts.dashboard("Logs of acme", rows))["id"]
        for id in ids.values():
            self._rest.put(f"/api/v1/chart/{id}", {"dashboards": [dashboard]})
        found = self._rest.get(f"/api/v1/dashboard/{dashboard}/charts")["result"]
        same("charts of the dashboard", sorted(ids.values()), sorted(chart["id"] for chart in found))
        for chart, id in ids.items():
            stored = self._rest.get(f"/api/v1/chart/{id}/data/")["result"][0]
            # Rows of the same minute come in any order
            expected, found = (sorted(map(json.dumps, data)) for data in (self._data(chart)["data"], stored["data"]))
            same(f"stored chart: {chart.name}", expected, found)
        return dashboard

    def _data(self, chart):
        return self._rest.post("/api/v1/chart/data", chart.context(self._logs))["result"][0]

    def _per_minute(self, chart):
        for minutes, bin in ((1, "bin_trunc_minute"), (5, "bin_")):
            answer = self._data(chart.every(f"PT{minutes}M"))
            found = {(int(row["ts"]), row["level"]): row["count"] for row in answer["data"]}
            same(f"lines per {minutes} min and level", dict(self._shipped.by_time_and_level(minutes)), found)
            # The connector's own bins, with the period as its bounds
            plan = self._query("EXPLAIN " + answer["query"])[0]["Query Plan"]
            holds(f"plan of {minutes} min", plan, bin, "domain={ts:")

    def _newest(self, chart):
        answer = self._data(chart)
        same("names of columns", charts.COLUMNS, answer["colnames"])
        # Superset's charts have milliseconds
        expected = [
            {"ts": row.ts // 1_000, "level": row.level, "message": row.message, "n": row.n}
            for row in self._shipped.newest(charts.NEWEST)
        ]
        same("newest rows", expected, [{**row, "ts": int(row["ts"])} for row in answer["data"]])

    def _stranger(self, chart):
        foreign = self._connect("lake of a stranger", self._job.stranger)
        same("schemas of a stranger", ["all_tenants", "information_schema", "system"], self._schemas(foreign))
        table = {"database": foreign, "catalog": CATALOG, "schema": SCHEMA, "table_name": TABLE}
        refused = self._refusal(lambda: self._rest.post("/api/v1/dataset/", table))
        holds("dataset of a stranger", refused, "could not be found")
        # Who sees the charts of another. Not in SQL Lab: if a query fails there, Superset 6.1 may end with it.
        self._log_in(self._job.stranger)
        denied = f"Access Denied: Cannot access schema {SCHEMA}: user '{self._job.stranger.name}' has no grant"
        holds("chart of a stranger", self._refusal(lambda: self._data(chart)), denied)
        self._log_in(self._job.reader)

    def _log_in(self, user):
        self._rest.put(f"/api/v1/database/{self._lake}", {"sqlalchemy_uri": self._job.uri(user)})

    def _malformed(self, chart):
        query = {**chart.query, "extras": {"where": "match(message, '\"open')"}}
        refused = self._refusal(lambda: self._data(replace(chart, query=query)))
        holds("a malformed query", refused, "match query", "is not closed at position 1")

    @staticmethod
    def _refusal(act):
        try:
            answer = act()
        except Refused as refused:
            return str(refused)
        raise AssertionError(f"was not refused: {answer}")


def _iso(micros):
    at = datetime.fromtimestamp(micros // 1_000_000, timezone.utc).replace(microsecond=micros % 1_000_000)
    return at.isoformat(timespec="microseconds")
