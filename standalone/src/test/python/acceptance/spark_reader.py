"""Runs in Spark's own Python environment: changes and reads tables as a user would, with the defaults.

One JSON object on standard input: `jar` of Iceberg, `catalog`, `steps` that change tables, `tables` to be read after
them as [schema, columns]. One JSON array a line on standard output: of a step, schema and "done"; of a table, schema
and its hash; or schema and what went wrong.
"""

import json
import sys

from acceptance.rows import TableHash
from pyspark.sql import SparkSession

_STREAM = "logs"
_LONGEST_ERROR = 2000


def main():
    job = json.load(sys.stdin)
    spark = (
        SparkSession.builder.master("local[1]")
        .config("spark.jars", job["jar"])
        .config("spark.driver.memory", "1g")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.extensions", "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions")
        .config("spark.sql.catalog.cordwood", "org.apache.iceberg.spark.SparkCatalog")
        .config("spark.sql.catalog.cordwood.type", "rest")
        .config("spark.sql.catalog.cordwood.uri", job["catalog"])
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("ERROR")
    for step in job["steps"]:
        _say(step["schema"], lambda: _STEPS[step["do"]](spark, step))
    for schema, columns in job["tables"]:
        _say(schema, lambda: str(_hash(spark, schema, columns)))


def _say(schema, act):
    try:
        outcome = act()
    except Exception as error:  # noqa: BLE001 a table that cannot be read is a difference, the others go on
        outcome = f"{type(error).__name__}: {error}"[:_LONGEST_ERROR]
    print(json.dumps([schema, outcome]), flush=True)


def _table(schema):
    return f"`{schema}`.{_STREAM}"


def _rewrite(spark, step):
    spark.conf.set("spark.sql.iceberg.compression-codec", step["codec"])
    rewritten = spark.sql(
        f"CALL cordwood.system.rewrite_data_files(table => '{_table(step['schema'])}',"
        " options => map('rewrite-all', 'true', 'min-input-files', '1'))"
    ).collect()[0]
    return "done" if rewritten["rewritten_data_files_count"] > 0 else "nothing was rewritten"


def _delete(spark, step):
    table = f"cordwood.{_table(step['schema'])}"
    spark.sql(f"ALTER TABLE {table} SET TBLPROPERTIES ('write.delete.mode' = '{step['mode']}')")
    spark.sql(f"DELETE FROM {table} WHERE {step['condition']}")
    return "done"


_STEPS = {"rewrite": _rewrite, "delete": _delete}


def _hash(spark, schema, columns):
    listed = ", ".join(f"unix_micros(`{name}`)" if name == "ts" else f"`{name}`" for name in columns)
    found = TableHash(columns)
    for row in spark.sql(f"SELECT {listed} FROM cordwood.{_table(schema)}").toLocalIterator():
        found.add(list(row))
    return found


if __name__ == "__main__":
    main()
