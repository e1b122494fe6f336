"""Runs in Spark's own Python environment: JOB-FILE and Iceberg's jars."""

import sys

from pyspark.sql import SparkSession

from tools.job import AGGREGATES, Job, refused

# Each way to the store has a catalog of its own, and its own refusal of a file
_WAYS = {
    "vended": ("vended-credentials", "Status Code: 403"),
    "signed": ("remote-signing", "is not below the table's location"),
}


def main():
    job = Job.read(sys.argv[1])
    spark = (
        SparkSession.builder.master("local[1]")
        .config("spark.jars", sys.argv[2])
        .config("spark.driver.memory", "1g")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "1")
        .config("spark.driver.extraJavaOptions", f"-Djavax.net.ssl.trustStore={job.trust_store}")
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("ERROR")
    for name, (delegation, refusal) in _WAYS.items():
        print(name, flush=True)
        _configure(job, spark, f"spark.sql.catalog.{name}", delegation)
        _check(job, spark, name, refusal)


def _configure(job, spark, catalog, delegation):
    """Not before the start: what is set then is in the arguments of a process, and so the token."""
    spark.conf.set(f"{catalog}.type", "rest")
    spark.conf.set(f"{catalog}.uri", job.catalog)
    spark.conf.set(f"{catalog}.token", job.token)
    spark.conf.set(f"{catalog}.io-impl", "org.apache.iceberg.aws.s3.S3FileIO")
    spark.conf.set(f"{catalog}.header.X-Iceberg-Access-Delegation", delegation)
    spark.conf.set(catalog, "org.apache.iceberg.spark.SparkCatalog")


def _check(job, spark, catalog, refusal):
    aggregates = AGGREGATES.format(text="string")
    job.check_rows(spark.sql(f"SELECT {aggregates} FROM {catalog}.acme.logs").collect()[0])
    refused(
        "globex's table", lambda: spark.sql(f"SELECT n FROM {catalog}.globex.logs").collect(), "ForbiddenException"
    )
    utilities = spark._jvm.org.apache.iceberg.spark.Spark3Util
    io = utilities.loadIcebergTable(spark._jsparkSession, f"{catalog}.acme.logs").io()
    _read(io, job.own)
    refused("globex's file", lambda: _read(io, job.foreign), refusal)


def _read(io, location):
    stream = io.newInputFile(location).newStream()
    try:
        if stream.read() < 0:
            raise ValueError(f"{location} is empty")
    finally:
        stream.close()


if __name__ == "__main__":
    main()
