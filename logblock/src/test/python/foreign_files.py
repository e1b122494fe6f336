"""Writes the Parquet files that ForeignFileTest reads: pip install pyarrow, then run with the directory as argument.

The same rows each time, in no order of time, in files that differ in codec, page version, encodings, row groups and
indexes. The file whose name begins with spark is none-plain-pages1-5000.parquet, read and written by PySpark 3.5.9 with
its defaults but for the codec:
spark.read.parquet(file).coalesce(1).write.option("compression", "lz4").parquet(directory)
"""

import random
import sys
from pathlib import Path

import pyarrow
import pyarrow.parquet

ROWS = 400


def field(name, kind, field_id, nullable=True):
    return pyarrow.field(name, kind, nullable, {"PARQUET:field_id": str(field_id)})


ATTRIBUTES = pyarrow.map_(field("key", pyarrow.string(), 20, False), field("value", pyarrow.string(), 21))
SCHEMA = [
    field("tenant_id", pyarrow.string(), 1, False),
    field("ts", pyarrow.timestamp("us", "UTC"), 2, False),
    field("attributes", ATTRIBUTES, 3),
    field("level", pyarrow.string(), 4),
    field("trace_x2Eid", pyarrow.string(), 5),
    field("message", pyarrow.string(), 6),
    field("latency", pyarrow.int64(), 7),
    field("ratio", pyarrow.float64(), 8),
    field("fail", pyarrow.bool_(), 9),
    field("_kafka_offset", pyarrow.int64(), 10, False),
]


def rows(schema):
    chance = random.Random(7)

    def maybe(value, share=0.1):
        return None if chance.random() < share else value

    found = []
    for i in range(ROWS):
        entries = [(f"k{n}", maybe(f"v{chance.randrange(50)}")) for n in range(chance.randrange(3))]
        found.append(
            {
                "tenant_id": "acme",
                "ts": 1_700_000_000_000_000 + chance.randrange(3_600_000) * 1000,
                "attributes": maybe(entries, 0.3),
                "level": maybe(chance.choice(["INFO", "WARN", "ERROR"])),
                "trace_x2Eid": maybe(f"{chance.getrandbits(48):012x}", 0.3),
                "message": maybe(f"request {i} of user_{chance.randrange(90)} timeout Größe 北京" if i % 3 else "done"),
                "latency": maybe(chance.randrange(30_000)),
                "ratio": maybe(chance.choice([0.0, -0.0, 1.5, float("nan"), chance.random()])),
                "fail": maybe(chance.random() < 0.5),
                "_kafka_offset": i,
            }
        )
    return pyarrow.Table.from_pylist(found, schema=schema)


ENCODED = {
    "plain": {"use_dictionary": False},
    "dictionary": {"use_dictionary": True},
    "delta": {
        "use_dictionary": False,
        "column_encoding": {
            "ts": "DELTA_BINARY_PACKED",
            "latency": "DELTA_BINARY_PACKED",
            "_kafka_offset": "DELTA_BINARY_PACKED",
            "message": "DELTA_BYTE_ARRAY",
            "trace_x2Eid": "DELTA_LENGTH_BYTE_ARRAY",
            "ratio": "BYTE_STREAM_SPLIT",
            "fail": "RLE",
        },
    },
    "split": {"use_dictionary": False, "column_encoding": {"latency": "BYTE_STREAM_SPLIT", "ratio": "BYTE_STREAM_SPLIT"}},
}
# Codec, encodings, page version, rows of a row group, bytes of a page, page index
FILES = [
    ("none", "plain", "1.0", 5000, 1 << 20, False),
    ("snappy", "dictionary", "1.0", 150, 1 << 20, False),
    ("snappy", "dictionary", "2.0", 5000, 1024, True),
    ("gzip", "delta", "2.0", 170, 2048, False),
    ("gzip", "plain", "1.0", 130, 512, True),
    ("zstd", "delta", "1.0", 5000, 1024, False),
    ("zstd", "split", "2.0", 300, 2048, True),
    ("lz4", "dictionary", "1.0", 210, 700, True),
    ("lz4", "delta", "2.0", 5000, 1 << 20, True),
    ("none", "delta", "2.0", 90, 600, True),
    ("brotli", "plain", "1.0", 5000, 1 << 20, False),
]


def write(table, path, codec, encodings, pages, group, page_bytes, index):
    pyarrow.parquet.write_table(
        table,
        path,
        compression=codec,
        data_page_version=pages,
        row_group_size=group,
        data_page_size=page_bytes,
        write_batch_size=64,
        write_page_index=index,
        write_page_checksum=pages == "2.0",
        **ENCODED[encodings],
    )


def nanoseconds(table):
    """The same rows with times that have digits beyond microseconds, some of them before 1970."""
    times = table.column("ts").cast(pyarrow.int64()).to_pylist()
    moved = [time * 1000 + i if i % 9 else -i * 1_234_567 for i, time in enumerate(times)]
    column = pyarrow.array(moved, pyarrow.int64()).cast(pyarrow.timestamp("ns", "UTC"))
    return table.set_column(1, field("ts", column.type, 2, False), column)


def main(directory):
    table = rows(pyarrow.schema(SCHEMA))
    for codec, encodings, pages, group, page_bytes, index in FILES:
        name = f"{codec}-{encodings}-pages{pages[0]}-{group}{'-indexed' if index else ''}.parquet"
        write(table, directory / name, codec, encodings, pages, group, page_bytes, index)
    # Types that a table's columns may have had before they were made wider, times in milliseconds
    narrow = [
        field("ts", pyarrow.timestamp("ms", "UTC"), 2, False)
        if f.name == "ts"
        else field("latency", pyarrow.int32(), 7)
        if f.name == "latency"
        else field("ratio", pyarrow.float32(), 8)
        if f.name == "ratio"
        else f
        for f in SCHEMA
    ]
    write(table.cast(pyarrow.schema(narrow), safe=False), directory / "narrow.parquet", "snappy", "dictionary", "1.0", 5000, 4096, False)
    for unit, options in (("int96", {"use_deprecated_int96_timestamps": True}), ("nanos", {"version": "2.6"})):
        nanos = nanoseconds(table)
        pyarrow.parquet.write_table(nanos, directory / f"{unit}.parquet", compression="snappy", **options)
    without = pyarrow.schema([f.remove_metadata() for f in SCHEMA if f.name != "attributes"])
    write(table.drop(["attributes"]).cast(without), directory / "no-field-ids.parquet", "snappy", "plain", "1.0", 5000, 4096, False)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
