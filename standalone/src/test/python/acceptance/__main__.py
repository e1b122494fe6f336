"""The command: starts a stack, ships, checks, prints the table, stops. Ends with 1 if anything differs."""

import argparse
import hashlib
import json
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

from trino.exceptions import TrinoUserError

from acceptance import analyzer, client, inputs, self_test
from acceptance.checks import TenantChecks
from acceptance.decoding import Table
from acceptance.engines import EngineChecks
from acceptance.names import quoted, schema_name
from acceptance.report import Report
from acceptance.spark import VERSIONS, SparkChecks
from acceptance.stack import PEER, STREAM, Stack, ship
from acceptance.stages import Shipped, Stages

NUMBERED_TENANTS = 5
MAX_AGE_SECONDS = 4


def main():
    options = _options()
    if options.self_test:
        return self_test.main()
    # Whoever ends it early leaves no stack running.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    home = Path(options.home or tempfile.mkdtemp(prefix="cordwood-acceptance-"))
    report = Report()
    stack = Stack(options.root, home)
    say = _Clock()
    try:
        if options.check_only:
            stack.up_already()
        else:
            compaction = ["--compaction", "dense-after-days=1"]
            if options.spark:
                # Tables are compacted when it is time for that
                compaction += ["--compaction", "interval=1d"]
            stack.up("--max-age", str(MAX_AGE_SECONDS), "--iceberg", *compaction, *options.up)
            say(f"stack up in {home}")
        Acceptance(stack, report, options, say).run()
    finally:
        if not options.keep_running and not options.check_only:
            stack.down()
            say("stack down")
    report.print()
    if report.failures:
        again = f"{options.root}/standalone/src/test/python/run {' '.join(sys.argv[1:])}"
        print(f"again: {again}")
        if not options.spark:
            print(f"the same data again: bin/cordwood up --detach --home {home} && {again} --check-only --home {home}")
        return 1
    if not options.home and not options.keep_running and not options.check_only:
        shutil.rmtree(home)
    return 0


def _options():
    root = Path(__file__).resolve().parents[5]
    parser = argparse.ArgumentParser(prog="acceptance", description="Checks a stack from outside, with other engines.")
    parser.add_argument("--root", default=str(root), help="the directory that holds bin/cordwood")
    parser.add_argument("--home", help="the stack's home, which must be new (default: a temporary one)")
    parser.add_argument(
        "--up",
        action="append",
        default=[],
        metavar="OPTION",
        help="an option of bin/cordwood up with its value, as in --up=--warehouse=s3://BUCKET/PREFIX; as often as need be",
    )
    parser.add_argument("--shared", help="directory of real log lines; without it lines are generated")
    parser.add_argument("--rows", type=int, default=20_000, help="how many lines are generated (default: 20000)")
    parser.add_argument(
        "--numbered", type=int, default=20_000, help="numbered rows around the kill -9 (default: 20000)"
    )
    parser.add_argument("--seed", type=int, default=1, help="of generated lines and chosen queries (default: 1)")
    parser.add_argument(
        "--requests", type=int, default=0, help="rows of a table of requests beside the others (default: none)"
    )
    parser.add_argument(
        "--spark",
        action="store_true",
        help="Spark too, in each of its versions, before and after compaction, deletes and rewrites (needs a JDK 17)",
    )
    parser.add_argument("--thorough", action="store_true", help="more queries for each tenant")
    parser.add_argument(
        "--check-only", action="store_true", help="the home runs and holds the rows of an earlier run: check them"
    )
    parser.add_argument("--self-test", action="store_true", help="check the reference itself with examples; no stack")
    parser.add_argument("--keep-running", action="store_true", help="leave the stack running")
    return parser.parse_args()


class _Clock:
    def __init__(self):
        self._begun = time.monotonic()

    def __call__(self, text):
        print(f"{time.monotonic() - self._begun:6.1f} s  {text}", flush=True)


class Acceptance:
    """One run against one stack. Not thread-safe."""

    def __init__(self, stack, report, options, say):
        self._stack, self._report, self._options, self._say = stack, report, options, say
        self._tenants = inputs.tenants(options.shared, options.rows, options.seed, options.requests)
        self._numbered = [f"numbered-{i}" for i in range(NUMBERED_TENANTS)]

    def run(self):
        root = Path(self._options.root)
        table = root / "logblock/src/main/resources/io/cordwood/logblock/match/unicode-16.txt"
        self._report.check("-", "Unicode tables", [], analyzer.differences_from_table(table)[:20])
        if not self._options.check_only:
            self._ship()
            self._ship_numbers()
        self._stack.await_archived()
        self._say("all archived")
        self._check()

    def _ship(self):
        producer = self._stack.producer()
        for i, tenant in enumerate(self._tenants):
            if i % 2 == 0 or tenant.plain:
                text = "".join(line + "\n" for line in tenant.lines)
                self._stack.run("produce", "--tenant", tenant.name, input=text)
            else:
                ship(producer, tenant.name, (line.encode() for line in tenant.lines))
        self._say(
            f"{sum(len(tenant.lines) for tenant in self._tenants):,} lines of {len(self._tenants)} tenants shipped"
        )
        self._ship_odd(producer)

    def _ship_odd(self, producer):
        """Records that name no tenant or hold no JSON, a header that wins over the key, an aborted transaction."""
        ship(producer, "dead", [b"not json", b'{"open": ', b'["array"]', b"\xff\xfe"])
        producer.produce(
            STREAM, key=b"somebody", value=b'{"message": "the header wins"}', headers={"cordwood.tenant": b"header"}
        )
        producer.produce(STREAM, value=b'{"message": "nobody\'s"}')
        ship(producer, client.TENANT, client.VALUES)
        producer.flush(120)
        transactions = self._transactional()
        for commits in (True, False, True, False):
            _transaction(transactions, commits)

    def _transactional(self):
        producer = self._stack.producer(**{"transactional.id": "acceptance"})
        producer.init_transactions(120)
        return producer

    def _ship_numbers(self):
        producer = self._stack.producer()
        half = self._options.numbered // 2
        self._number(producer, 0, half)
        killed = self._stack.kill("flink")
        self._say(f"Flink killed after {half:,} numbered rows")
        self._number(producer, half, self._options.numbered)
        ship(producer, "transactions", [b'{"message": "after the transactions"}'])
        self._flink_restarted(killed)
        if self._options.thorough:
            self._kill_among_commits()

    def _flink_restarted(self, killed):
        self._stack.await_restart("flink", killed)
        self._report.check("-", "Flink is another process", True, self._stack.pid("flink") != killed)
        self._say("Flink runs again")

    def _kill_among_commits(self):
        """Kills Flink once more as soon as the first rows are in a table."""
        sql = self._stack.sql()
        self._stack.await_true(lambda: any(self._rows_of(sql, tenant) for tenant in self._numbered), "numbered rows")
        killed = self._stack.kill("flink")
        found = [self._rows_of(sql, tenant) for tenant in self._numbered]
        self._say(f"Flink killed again, rows in tables: {found}")
        self._flink_restarted(killed)

    def _rows_of(self, sql, tenant):
        """How many rows there are, 0 if there is no table yet."""
        try:
            return sql.value(f"SELECT count(*) FROM cordwood.{quoted(tenant)}.{STREAM}")
        except TrinoUserError:
            return 0

    def _number(self, producer, start, end):
        for i, tenant in enumerate(self._numbered):
            numbers = (n for n in range(start, end) if n % NUMBERED_TENANTS == i)
            values = (
                f'{{"ts":{1_709_251_200_000_000 + n},"n":{n},"message":"row {n} of many"}}'.encode() for n in numbers
            )
            ship(producer, tenant, values)

    def _check(self):
        records = self._stack.consume(STREAM, lambda key: key is None or not key.startswith(b"numbered-"))
        self._say(f"{len(records):,} records read back from Kafka")
        by_tenant = {}
        for record in records:
            tenant = record.headers.get("cordwood.tenant", record.key)
            by_tenant.setdefault(tenant.decode() if tenant else None, []).append(record)
        self._dead_letters(by_tenant.pop("dead"), by_tenant.pop(None))
        for tenant in self._tenants:
            self._as_shipped(tenant, by_tenant[tenant.name])
        schemas = self._schemas([*by_tenant, *self._numbered])
        engines = EngineChecks(self._report, self._stack, has_peer=True)
        sql = self._stack.sql()
        topic_id = self._topic_id(sql)
        tables = []
        for tenant, own in by_tenant.items():
            tables.append(self._tenant(engines, tenant, schemas[tenant], own, topic_id))
            self._say(f"{tenant} checked")
        stages = Stages(self._report, self._stack, engines, topic_id, self._options.seed, self._say)
        left = self._spark(engines, stages, tables) if self._options.spark else []
        if not self._options.spark:
            stages.compacted(sorted(tables, key=lambda table: -len(table.expected.rows))[:1])
        self._report.check("-", "some LogBlocks carry an index", True, engines.indexed > 0)
        self._numbers(sql, schemas, engines)
        self._report.check(
            "transactions",
            "rows of aborted ones",
            0,
            sql.value(f"SELECT count(*) FROM cordwood.transactions.{STREAM} WHERE match(message, '\"commits false\"')"),
        )
        self._report.check("header", "rows", 1, sql.value(f"SELECT count(*) FROM cordwood.header.{STREAM}"))
        counts = {table.tenant: len(table.expected.rows) for table in [*tables, *left]}
        self._every_tenant(sql, counts)
        client.check(self._report, self._stack)
        self._last_is_aborted()

    def _tenant(self, engines, tenant, schema, records, topic_id):
        expected = Table()
        for record in records:
            expected.add(record.partition, record.offset, record.append_micros, record.value.decode())
        TenantChecks(
            self._report, self._stack, tenant, schema, expected, self._options.seed, self._options.thorough
        ).run()
        try:
            engines.run(tenant, schema, expected, topic_id)
        except Exception as error:  # noqa: BLE001 the other tenants go on
            self._report.failed(tenant, "engines", f"{type(error).__name__}: {error}")
        return Shipped(tenant, schema, expected)

    def _spark(self, engines, stages, tables):
        """Spark reads each table as it was shipped, then at each stage; returns the tables that stages changed."""
        spark = SparkChecks(self._report, self._stack, self._options.root)
        spark.read({version: engines.hashes for version in VERSIONS})
        self._say("read by Spark")
        return stages.all(tables, spark)

    def _last_is_aborted(self):
        """Records that nobody may read, at a partition's end, do not keep it from being archived.

        The job notices after two checkpoints without a record and archives with the next one, 10 s apart at most.
        """
        _transaction(self._transactional(), commits=False)
        self._report.check("transactions", "aborted last: all archived", True, self._stack.archived_within(180))

    def _as_shipped(self, tenant, records):
        values = [record.value.decode() for record in records]
        if tenant.plain:
            values = [json.loads(value)["message"] for value in values]
        self._report.check(tenant.name, "Kafka holds what was shipped", _digest(tenant.lines), _digest(values))

    def _dead_letters(self, *shipped):
        expected = sorted((r.partition, r.offset) for records in shipped for r in records)
        letters = self._stack.consume(STREAM + ".dlq", lambda key: True)
        found = sorted(
            {
                (int(r.headers["cordwood.partition"]), int(r.headers["cordwood.offset"]))
                for r in letters
                if r.headers["cordwood.topic"] == STREAM.encode() and r.headers["cordwood.error"]
            }
        )
        self._report.check("-", "dead letters", expected, found)

    def _schemas(self, tenants):
        listed = self._stack.schemas()
        schemas = {}
        for tenant in tenants:
            expected = schema_name(tenant) or listed.get(tenant)
            self._report.check(tenant, "schema name", expected, listed.get(tenant))
            schemas[tenant] = listed.get(tenant) or expected
        return schemas

    def _topic_id(self, sql):
        return sql.value(f"SELECT min(_kafka_topic_id) FROM {PEER}.{quoted(self._numbered[0])}.{STREAM}")

    def _numbers(self, sql, schemas, engines):
        for i, tenant in enumerate(self._numbered):
            numbers = range(i, self._options.numbered, NUMBERED_TENANTS)
            expected = (len(numbers), sum(numbers), len(numbers), numbers[0], numbers[-1])
            found = sql.rows(
                "SELECT count(*), sum(n), count(DISTINCT n), min(n), max(n)"
                f" FROM cordwood.{quoted(schemas[tenant])}.{STREAM}"
            )[0]
            self._report.check(tenant, "each number once (count, sum, distinct, min, max)", expected, found)
            engines.aggregates(tenant, schemas[tenant], expected)
        self._say("numbers checked")

    def _every_tenant(self, sql, counts):
        numbers = {t: len(range(i, self._options.numbered, NUMBERED_TENANTS)) for i, t in enumerate(self._numbered)}
        expected = counts | numbers
        found = dict(sql.rows(f"SELECT tenant_id, count(*) FROM cordwood.all_tenants.{STREAM} GROUP BY tenant_id"))
        self._report.check("-", "all_tenants: rows of each", expected, found)


def _transaction(producer, commits):
    producer.begin_transaction()
    for i in range(50):
        producer.produce(STREAM, key=b"transactions", value=f'{{"message": "commits {commits} {i}"}}'.encode())
    if commits:
        producer.commit_transaction(120)
    else:
        producer.flush(120)
        producer.abort_transaction(120)


def _digest(lines):
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line.strip().encode() + b"\n")
    return f"{len(lines)} lines {digest.hexdigest()[:16]}"


if __name__ == "__main__":
    sys.exit(main())
