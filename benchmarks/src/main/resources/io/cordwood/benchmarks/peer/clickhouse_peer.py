"""ClickHouse (chDB) for a benchmark: loads rows, then answers queries, one JSON object a line.

usage: clickhouse_peer.py DIRECTORY NDJSON THREADS
"""

import json
import sys
import time

from chdb import session

COLUMNS = {
    "tenant_id": "Int64",
    "ts": "Int64",
    "ip": "String",
    "api": "String",
    "latency": "Int64",
    "fail": "Bool",
    "level": "String",
    "service": "String",
    "log": "String",
}

# As a ClickHouse user would lay out logs: rows by tenant and time, and the index that answers for tokens of log.
TABLE = """CREATE TABLE request_log (tenant_id LowCardinality(String), ts DateTime64(6, 'UTC'),
    ip LowCardinality(String), api LowCardinality(String), latency Int64, fail Bool, level LowCardinality(String),
    service LowCardinality(String), log String,
    INDEX log_text log TYPE text(tokenizer = 'splitByNonAlpha', preprocessor = lower(log)))
    ENGINE = MergeTree ORDER BY (tenant_id, ts)"""

LOAD = """INSERT INTO request_log SELECT toString(tenant_id), fromUnixTimestamp64Micro(ts, 'UTC'), ip, api, latency,
    fail, level, service, log FROM file('{path}', 'JSONEachRow', '{columns}')"""


def answer(clickhouse, sql, counted):
    begun = time.perf_counter()
    clickhouse.query(sql, "Native")
    millis = (time.perf_counter() - begun) * 1e3
    return {"millis": millis, "rows": rows(clickhouse, sql, counted)}


def rows(clickhouse, sql, counted, known={}):
    """How many rows the query gives, or how many it counted, looked up once."""
    if sql not in known:
        counting = f"SELECT sum(c.2) FROM (SELECT tuple(*) AS c FROM ({sql}))" if counted else f"SELECT count() FROM ({sql})"
        known[sql] = int(float(str(clickhouse.query(counting, "TSV")).strip() or 0))
    return known[sql]


def main():
    directory, path, threads = sys.argv[1:]
    clickhouse = session.Session(directory)
    clickhouse.query(f"SET max_threads = {threads}")
    clickhouse.query("SET use_text_index_postings_cache = 1, use_text_index_dictionary_cache = 1")
    clickhouse.query(TABLE)
    columns = ", ".join(f"{name} {type}" for name, type in COLUMNS.items())
    begun = time.process_time()
    clickhouse.query(LOAD.format(path=path, columns=columns))
    inserted = time.process_time() - begun
    # No merges while it is measured, and no more parts than it would have in the end.
    clickhouse.query("OPTIMIZE TABLE request_log FINAL")
    merged = time.process_time() - begun
    stored = clickhouse.query("SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND table = 'request_log'", "TSV")
    print(
        json.dumps({"insertCpuSeconds": inserted, "cpuSeconds": merged, "bytes": int(str(stored))}),
        flush=True,
    )
    for line in sys.stdin:
        question = json.loads(line)
        print(json.dumps(answer(clickhouse, question["sql"], question["counted"])), flush=True)


main()
