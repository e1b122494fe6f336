"""DuckDB with a vended key, for which it asks by itself."""

import glob
import json
import ssl
from importlib.util import find_spec
from pathlib import Path
from urllib.request import Request, urlopen

import duckdb

from tools.job import AGGREGATES, OWN, Job, refused


def vended(job_file):
    job = Job.read(job_file)
    connection = duckdb.connect()
    for name in ("httpfs", "avro", "iceberg"):
        connection.load_extension(_extension(name))
    connection.execute(f"SET ca_cert_file = '{job.authorities}'")
    connection.execute(f"CREATE SECRET cordwood (TYPE iceberg, TOKEN '{job.token}')")
    connection.execute(f"ATTACH '' AS lake (TYPE iceberg, ENDPOINT '{job.catalog}', SECRET cordwood)")
    aggregates = AGGREGATES.format(text="varchar")
    job.check_rows(connection.execute(f"SELECT {aggregates} FROM lake.acme.logs").fetchone())
    refused("globex's table", lambda: connection.execute("SELECT n FROM lake.globex.logs").fetchall(), "Forbidden_403")
    _files(job, connection)


def _files(job, connection):
    """The key itself, as `httpfs` uses it."""
    namespace, table = OWN
    request = Request(
        f"{job.catalog}/v1/namespaces/{namespace}/tables/{table}",
        headers={"Authorization": f"Bearer {job.token}", "X-Iceberg-Access-Delegation": "vended-credentials"},
    )
    with urlopen(request, context=ssl.create_default_context(cafile=job.authorities)) as answer:
        key = json.load(answer)["config"]
    connection.execute(
        "CREATE SECRET vended (TYPE s3, KEY_ID $id, SECRET $secret, SESSION_TOKEN $session, ENDPOINT $endpoint,"
        " URL_STYLE 'path', USE_SSL false)",
        {
            "id": key["s3.access-key-id"],
            "secret": key["s3.secret-access-key"],
            "session": key["s3.session-token"],
            "endpoint": key["s3.endpoint"].removeprefix("http://"),
        },
    )
    count = "SELECT count(*) FROM read_parquet('{}')"
    found = connection.execute(count.format(job.own)).fetchone()[0]
    if found != job.rows - 1:
        raise AssertionError(f"rows of the own file: expected {job.rows - 1}, found {found}")
    refused("globex's file", lambda: connection.execute(count.format(job.foreign)).fetchone(), "HTTP 403 Forbidden")


def _extension(name):
    """The file in its Python package. DuckDB downloads it itself where it may: INSTALL iceberg."""
    package = Path(find_spec(f"duckdb_extension_{name}").origin).parent
    return glob.glob(f"{package}/extensions/*/{name}.duckdb_extension")[0]
