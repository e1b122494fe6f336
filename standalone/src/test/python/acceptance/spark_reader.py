"""Runs in Spark's own Python environment: reads tables, or has one rewritten, as a user would, with the defaults.

One JSON object on standard input: `jar` of Iceberg, `catalog`, `tables` as [schema, columns] and `rewrite`, a schema or null. One JSON
array a line on standard output: schema and the table's hash, or what went wrong.
"""

import json
import sys

from acceptance.rows import TableHash
from pyspark.sql import SparkSession

_STREAM = "logs"
# Spark writes with a codec of its own choice; one that LogBlocks do not have says more.
_CODEC = "snappy"


def main():
    wanted = json.load(sys.stdin)
    spark = (
        SparkSession.builder.master("local[1]")
        .config("spark.jars", wanted["jar"])
        .config("spark.driver.memory", "1g")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.extensions", "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions")
        .config("spark.sql.catalog.lake", "org.apache.iceberg.spark.SparkCatalog")
        .config("spark.sql.catalog.lake.type", "rest")
        .config("spark.sql.catalog.lake.uri", wanted["catalog"])
        .config("spark.sql.iceberg.compression-codec", _CODEC)
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("ERROR")
    if wanted["rewrite"]:
        rewritten = spark.sql(
            f"CALL lake.system.rewrite_data_files(table => '{_table(wanted['rewrite'])}',"
            " options => map('rewrite-all', 'true', 'min-input-files', '1'))"
        ).collect()[0]
        print(json.dumps(["rewritten", rewritten["rewritten_data_files_count"]]), flush=True)
    for schema, columns in wanted["tables"]:
        try:
            found = str(_hash(spark, schema, columns))
        except Exception as error:  # noqa: BLE001 a table that cannot be read is a difference, the others go on
            found = f"{type(error).__name__}: {error}"[:2000]
        print(json.dumps([schema, found]), flush=True)


def _table(schema):
    return f"`{schema}`.{_STREAM}"


def _hash(spark, schema, columns):
    listed = ", ".join(f"unix_micros(`{name}`)" if name == "ts" else f"`{name}`" for name in columns)
    found = TableHash(columns)
    for row in spark.sql(f"SELECT {listed} FROM lake.{_table(schema)}").toLocalIterator():
        found.add(list(row))
    return found


if __name__ == "__main__":
    main()
