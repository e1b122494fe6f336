"""Reads a tenant's table at a closed catalog with one tool: TOOL JOB-FILE. Ends with 1 if anything is wrong."""

import sys

from tools import with_duckdb, with_pyiceberg, with_spark

_TOOLS = {
    "pyiceberg-signed": with_pyiceberg.signed,
    "pyiceberg-vended": with_pyiceberg.vended,
    "duckdb-vended": with_duckdb.vended,
    "spark": with_spark.both,
}

if __name__ == "__main__":
    _TOOLS[sys.argv[1]](sys.argv[2])
