"""What happens to tables after rows were shipped, and who reads what after each step."""

import dataclasses
from contextlib import contextmanager
from dataclasses import dataclass

from acceptance.checks import TenantChecks
from acceptance.decoding import Table
from acceptance.names import quoted
from acceptance.spark import VERSIONS, Delete, Rewrite
from acceptance.stack import STREAM

# Each is read by PyIceberg, pyarrow, DuckDB and Trino, too.
_CODECS = ("snappy", "gzip", "uncompressed", "zstd")
# In Hadoop's frames, which DuckDB does not read.
_HADOOP_CODEC = "lz4"
_MODES = ("merge-on-read", "copy-on-write")
# Rows whose offset has this remainder are deleted by Cordwood, by Spark.
_DIVISOR = 7
_DELETED_HERE = 3
_DELETED_BY_SPARK = 5
_FEWEST_ROWS = 2 * _DIVISOR
# Number of the largest tables that every version of Spark reads at each stage; one version in rotation reads the others.
_READ_BY_ALL = 4


@dataclass(frozen=True)
class Shipped:
    """A tenant's table and the rows that are expected in it."""

    tenant: str
    schema: str
    expected: Table

    def without(self, remainder):
        """The same after a DELETE of the rows whose offset has this remainder."""
        rows = [row for row in self.expected.rows if row.offset % _DIVISOR != remainder]
        return dataclasses.replace(self, expected=dataclasses.replace(self.expected, rows=rows))


class Stages:
    """Compacts, deletes and rewrites tables, and has every engine read them each time. Not thread-safe."""

    def __init__(self, report, stack, engines, topic_id, seed, say):
        self._report, self._stack, self._engines = report, stack, engines
        self._topic_id, self._seed, self._say = topic_id, seed, say

    def compacted(self, tables):
        """The same rows in fewer LogBlocks of the dense layout, for all engines but Spark."""
        with self._stage("compacted"):
            self._stack.run("compact")
            for table in tables:
                self._report.check(table.tenant, "dense LogBlocks", True, self._has_dense(table))
            self._read(tables)

    def all(self, tables, spark):
        """Every stage, with every version of Spark; returns the tables with the rows that are left."""
        tables = sorted(tables, key=lambda table: -len(table.expected.rows))
        tables = [table for table in tables if len(table.expected.rows) >= _FEWEST_ROWS]
        with self._stage("compacted"):
            before = self._files(tables)
            self._stack.run("compact")
            self._report.check("-", "fewer LogBlocks than before", True, self._files(tables) < before)
            self._spark(spark, self._read(tables))
        with self._stage("rows deleted"):
            tables = [self._deleted_here(table) for table in tables]
            self._spark(spark, self._read(tables))
        with self._stage("merged without them"):
            # Of the other tables Spark is to leave the deleted rows out when it rewrites them
            for table in tables[:2]:
                self._stack.run("compact", "--tenant", table.tenant)
            self._spark(spark, self._read(tables[:2]))
        with self._stage("rewritten by Spark"):
            for version, own in _shares(tables):
                spark.change(version, {t.tenant: Rewrite(t.schema, _CODECS[n % len(_CODECS)]) for n, t in own})
            self._spark(spark, self._read(tables))
        with self._stage("rows deleted by Spark"):
            condition = f"_kafka_offset % {_DIVISOR} = {_DELETED_BY_SPARK}"
            for version, own in _shares(tables):
                spark.change(version, {t.tenant: Delete(t.schema, condition, _MODES[n % len(_MODES)]) for n, t in own})
            tables = [table.without(_DELETED_BY_SPARK) for table in tables]
            self._spark(spark, self._read(tables))
        with self._stage("compacted once more"):
            self._stack.run("compact")
            self._read(tables[:_READ_BY_ALL])
        with self._stage("in Hadoop's LZ4"):
            smallest = tables[-1]
            spark.change(VERSIONS[0], {smallest.tenant: Rewrite(smallest.schema, _HADOOP_CODEC)})
            self._sql(smallest)
        return tables

    @contextmanager
    def _stage(self, stage):
        self._report.stage = stage
        try:
            yield
        finally:
            self._report.stage = None

    def _deleted_here(self, table):
        self._stack.sql().rows(
            f"DELETE FROM cordwood.{quoted(table.schema)}.{STREAM}"
            f' WHERE mod("$kafka_offset", {_DIVISOR}) = {_DELETED_HERE}'
        )
        return table.without(_DELETED_HERE)

    def _has_dense(self, table):
        name = f"cordwood.{quoted(table.schema)}.{STREAM}"
        return self._stack.sql().value(f"SELECT count(*) FROM {name} WHERE \"$path\" LIKE '%/dense-%'") > 0

    def _files(self, tables):
        sql = self._stack.sql()
        return sum(
            sql.value(f'SELECT count(DISTINCT "$path") FROM cordwood.{quoted(table.schema)}.{STREAM}')
            for table in tables
        )

    def _read(self, tables):
        """Through Cordwood and all engines but Spark; returns what Spark is to find."""
        self._engines.hashes = []
        for table in tables:
            self._sql(table)
            try:
                self._engines.run(table.tenant, table.schema, table.expected, self._topic_id)
            except Exception as error:  # noqa: BLE001 the other tenants go on
                self._report.failed(table.tenant, "engines", f"{type(error).__name__}: {error}")
        self._say(f"{self._report.stage}: {len(tables)} tables read")
        return self._engines.hashes

    def _sql(self, table):
        TenantChecks(
            self._report, self._stack, table.tenant, table.schema, table.expected, self._seed, thorough=False
        ).run_again()

    def _spark(self, spark, hashes):
        spark.read(
            {
                version: [table for n, table in enumerate(hashes) if n < _READ_BY_ALL or n % len(VERSIONS) == i]
                for i, version in enumerate(VERSIONS)
            }
        )
        self._say(f"{self._report.stage}: read by Spark")


def _shares(tables):
    """Of each version of Spark the tables that it changes, numbered so that every version meets every codec."""
    for i, version in enumerate(VERSIONS):
        yield version, [(n // len(VERSIONS) + i, t) for n, t in enumerate(tables) if n % len(VERSIONS) == i]
