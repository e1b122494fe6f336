"""PyIceberg, by signing and with a vended key."""

import os

from pyiceberg.catalog import load_catalog

from tools.job import FOREIGN, OWN, Job, refused


def signed(job_file):
    job = Job.read(job_file)
    # The signer does not know the property of the catalog
    os.environ["REQUESTS_CA_BUNDLE"] = job.authorities
    _read(
        job,
        "remote-signing",
        "Failed to sign request 403",
        **{"py-io-impl": "pyiceberg.io.fsspec.FsspecFileIO"},
    )


def vended(job_file):
    # It goes before the catalog's property
    for variable in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):
        os.environ.pop(variable, None)
    _read(Job.read(job_file), "vended-credentials", "ACCESS_DENIED")


def _read(job, delegation, refusal, **options):
    catalog = load_catalog(
        "cordwood",
        type="rest",
        uri=job.catalog,
        token=job.token,
        ssl={"cabundle": job.authorities},
        **{"header.X-Iceberg-Access-Delegation": delegation, **options},
    )
    table = catalog.load_table(OWN)
    rows = table.scan(selected_fields=("n", "message")).to_arrow().to_pylist()
    numbers = [row["n"] for row in rows]
    own = sum(row["message"] == f"row {row['n']} of acme" for row in rows)
    named = next(row["message"] for row in rows if row["n"] == 4711)
    job.check_rows((len(rows), sum(numbers), min(numbers), max(numbers), own, named))
    refused("globex's table", lambda: catalog.load_table(FOREIGN), "ForbiddenError")
    _bytes(table, job.own)
    refused("globex's file", lambda: _bytes(table, job.foreign), refusal)


def _bytes(table, location):
    with table.io.new_input(location).open() as file:
        return file.read()
