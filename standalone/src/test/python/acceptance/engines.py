"""The same tables through other engines: PyIceberg, pyarrow, DuckDB, Trino's own Iceberg connector."""

import tempfile
from pathlib import Path
from urllib.parse import unquote, urlparse

import duckdb
import pyarrow
import pyarrow.fs
import pyarrow.parquet
from pyiceberg.catalog.rest import RestCatalog

from acceptance.checks import only_different
from acceptance.names import parquet_name, quoted
from acceptance.rows import TableHash
from acceptance.stack import PEER, STREAM

IDENTITY = ("_kafka_topic_id", "_kafka_partition", "_kafka_offset", "_kafka_ordinal")
BASE = ("tenant_id", "ts", "attributes", *IDENTITY)
# Of a store that has none: clients insist on it.
REGION = "us-east-1"
_TYPES = {"string": "varchar", "long": "bigint", "double": "double", "boolean": "boolean"}


class EngineChecks:
    """Reads a tenant's table with each engine and compares rows and hash with what was expected. Not thread-safe.

    `indexed` counts the LogBlocks with an index that were read; `hashes` holds the expected result of other engines for each table
    that was read: tenant, schema, columns, hash.
    """

    def __init__(self, report, stack, has_peer):
        self._report = report
        self._catalog = RestCatalog("cordwood", uri=stack.endpoints["catalog"], **{"s3.region": REGION})
        self._files = Files(self._catalog.properties.get("s3.endpoint"))
        self._peer = stack.sql(PEER) if has_peer else None
        self._files_seen = {}
        self.indexed = 0
        self.hashes = []

    def run(self, tenant, schema, expected, topic_id):
        table = self._catalog.load_table((schema, STREAM))
        types = {field.name: _TYPES.get(str(field.field_type)) for field in table.schema().fields}
        members = {name: kind for name, kind in types.items() if name not in BASE}
        self._report.check(tenant, "Iceberg schema", *only_different(expected.columns, members))
        columns = [*BASE, *members]
        table_hash = TableHash(columns)
        for row in expected.rows:
            table_hash.add(
                [tenant, row.ts, row.attributes, topic_id, row.partition, row.offset, 0]
                + [row.cells.get(name) for name in members]
            )
        self.hashes.append((tenant, schema, columns, str(table_hash)))
        self._read(tenant, table, schema, columns, str(table_hash))

    def _read(self, tenant, table, schema, columns, expected):
        tasks = list(table.scan().plan_files())
        locations = [task.file.file_path for task in tasks]
        for file in locations:
            owner = self._files_seen.setdefault(file, tenant)
            if owner != tenant:
                self._report.failed(tenant, "isolation", f"{file} belongs to {owner}, too")
        files = [self._files.local(location) for location in locations]
        engines = {"PyIceberg": lambda: _arrow_hash(table.scan().to_arrow(), columns)}
        # Who reads data files alone knows nothing of rows that are deleted and still in them
        if not any(task.delete_files for task in tasks):
            engines["pyarrow"] = lambda: self._pyarrow(table, files, columns)
            engines["DuckDB"] = lambda: self._duckdb(table, files, columns)
        if self._peer:
            engines["Trino Iceberg"] = lambda: self._trino(schema, columns)
        for name, read in engines.items():
            try:
                self._report.check(tenant, f"{name}: rows and hash", expected, str(read()))
            except Exception as error:  # noqa: BLE001 an engine that cannot read is a difference, the others go on
                self._report.failed(tenant, name, f"{type(error).__name__}: {error}")

    def aggregates(self, tenant, schema, expected):
        """count, sum and count(DISTINCT) of the numbered rows by each engine."""
        table = self._catalog.load_table((schema, STREAM))
        files = [self._files.local(task.file.file_path) for task in table.scan(selected_fields=("n",)).plan_files()]
        aggregate = "SELECT count(*), sum(n), count(DISTINCT n), min(n), max(n) FROM "
        numbers = table.scan(selected_fields=("n",)).to_arrow().column("n").to_pylist()
        self._report.check(
            tenant,
            "PyIceberg: numbers",
            expected,
            (len(numbers), sum(numbers), len(set(numbers)), min(numbers), max(numbers)),
        )
        found = duckdb.sql(f"{aggregate} read_parquet({files!r}, union_by_name = true)").fetchone()
        self._report.check(tenant, "DuckDB: numbers", expected, tuple(found))
        if self._peer:
            found = self._peer.rows(f"{aggregate} {PEER}.{quoted(schema)}.{STREAM}")[0]
            self._report.check(tenant, "Trino Iceberg: numbers", expected, tuple(found))

    def _pyarrow(self, table, files, columns):
        ids = {name: table.schema().find_field(name).field_id for name in columns}
        found = TableHash(columns)
        for file in files:
            read = pyarrow.parquet.read_table(file, partitioning=None)
            self.indexed += b"cordwood.index.version" in (pyarrow.parquet.read_metadata(file).metadata or {})
            by_id = {int(field.metadata[b"PARQUET:field_id"]): field.name for field in read.schema}
            _add_arrow(found, read, [by_id.get(ids[name]) for name in columns])
            for name in columns:
                if ids[name] in by_id and by_id[ids[name]] != parquet_name(name):
                    raise ValueError(f"{name} is called {by_id[ids[name]]} in {file}, expected {parquet_name(name)}")
        return found

    def _duckdb(self, table, files, columns):
        if not files:
            return TableHash(columns)
        read = duckdb.sql(f"FROM read_parquet({files!r}, union_by_name = true, hive_partitioning = false)")
        arrow = read.to_arrow_table()
        present = set(arrow.column_names)
        found = TableHash(columns)
        _add_arrow(found, arrow, [parquet_name(name) if parquet_name(name) in present else None for name in columns])
        return found

    def _trino(self, schema, columns):
        listed = ", ".join(map(quoted, columns))
        found = TableHash(columns)
        for row in self._peer.rows(f"SELECT {listed} FROM {PEER}.{quoted(schema)}.{STREAM}"):
            found.add(row)
        return found


class Files:
    """LogBlocks as files for engines that know nothing of a store: those of an S3 store are fetched, once each."""

    def __init__(self, endpoint):
        self._endpoint = endpoint
        self._fetched = {}
        self._directory = None

    def local(self, uri):
        """A local path. Object names are written as they are, without escapes."""
        if uri.startswith("s3://"):
            return self._fetched.get(uri) or self._fetch(uri)
        return uri.removeprefix("file://") if uri.startswith("file:///") else unquote(urlparse(uri).path)

    def _fetch(self, uri):
        if not self._directory:
            self._directory = tempfile.TemporaryDirectory(prefix="cordwood-acceptance-s3-")
            self._store = pyarrow.fs.S3FileSystem(endpoint_override=self._endpoint, region=REGION)
        path = str(Path(self._directory.name) / f"{len(self._fetched)}.parquet")
        pyarrow.fs.copy_files(uri.removeprefix("s3://"), path, source_filesystem=self._store)
        self._fetched[uri] = path
        return path


def _arrow_hash(table, columns):
    found = TableHash(columns)
    _add_arrow(found, table, columns)
    return found


def _add_arrow(found, table, names):
    for batch in table.to_batches(max_chunksize=20_000):
        cells = []
        for name in names:
            if name is None:
                cells.append([None] * batch.num_rows)
                continue
            column = batch.column(batch.schema.get_field_index(name))
            if pyarrow.types.is_timestamp(column.type):
                column = column.cast(pyarrow.timestamp("us", "UTC")).cast(pyarrow.int64())
            cells.append(column.to_pylist())
        for row in zip(*cells):
            found.add(row)
