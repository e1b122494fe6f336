"""dbt: what reads works. What makes a table or a view does not: the connector creates none."""

import os
import tempfile
from contextlib import contextmanager
from datetime import datetime, timezone
from pathlib import Path

from bi.job import CATALOG, SCHEMA, TABLE, Job, holds, same
from bi.shipped import Shipped

_PROJECT = """
name: lake
profile: lake
config-version: 2
"""

_SOURCES = """
sources:
  - name: {schema}
    database: {catalog}
    schema: {schema}
    tables:
      - name: {table}
        config:
          loaded_at_field: ts
          freshness:
            warn_after: {{count: 1, period: day}}
        columns:
          - name: n
            data_tests: [not_null, unique]
          - name: level
            data_tests:
              - accepted_values:
                  arguments:
                    values: [INFO, WARN]
"""

_PASSED = """{{ config(materialized='ephemeral') }}
select ts, n, message from {{ source('acme', 'logs') }} where match(message, 'error')
"""

_STORED = """{{ config(materialized='table') }}
select n from {{ source('acme', 'logs') }}
"""

_BY_LEVEL = "select level, count(*) as lines from {{ source('acme', 'logs') }} group by level"


def check(job_file):
    job = Job.read(job_file)
    shipped = Shipped(job.rows)
    with tempfile.TemporaryDirectory(prefix="dbt-") as directory, _environment(job):
        project = _Project(Path(directory), job)
        project.succeed("debug")
        found = project.rows("show", "--limit", "-1", "--inline", _BY_LEVEL)
        same("dbt show: lines by level", dict(shipped.by_level()), {level: int(lines) for level, lines in found})
        found = project.rows("show", "--inline", "select count(*) as lines, sum(n) as n from {{ ref('with_error') }}")
        expected = [(len(shipped.with_error()), sum(row.n for row in shipped.with_error()))]
        same("dbt show: a model that is no table", expected, [tuple(map(int, row)) for row in found])
        _fresh(project, shipped)
        _tests(project, shipped)
        _nothing_is_created(project, job)
        refusal = project.fail("show", "--target", "stranger", "--inline", _BY_LEVEL)
        holds("dbt show of a stranger", refusal, "Access Denied", f"schema {SCHEMA}")


def _fresh(project, shipped):
    (source,) = project.succeed("source", "freshness").results
    last = datetime.fromtimestamp(shipped.last() // 1_000_000, timezone.utc)
    last = last.replace(microsecond=shipped.last() % 1_000_000)
    same("dbt source freshness", ("pass", last), (str(source.status), source.max_loaded_at))


def _tests(project, shipped):
    results = project.invoke("test").result.results
    found = {result.node.name.split("_acme_")[0]: (str(result.status), result.failures) for result in results}
    levels = len(set(shipped.by_level()) - {"INFO", "WARN"})
    expected = {
        "source_not_null": ("pass", 0),
        "source_unique": ("pass", 0),
        "source_accepted_values": ("fail", levels),
    }
    same("dbt test", expected, found)


def _nothing_is_created(project, job):
    table = "Access Denied: Cannot create table" if job.closed else "This connector does not support creating tables"
    holds("dbt run", project.fail("run", "--select", "stored"), table)
    holds("dbt test --store-failures", project.fail("test", "--store-failures"), "Access Denied: Cannot create schema")


class _Project:
    def __init__(self, directory, job):
        models = directory / "models"
        models.mkdir()
        (directory / "dbt_project.yml").write_text(_PROJECT)
        (directory / "profiles.yml").write_text(_profiles(job))
        (models / "sources.yml").write_text(_SOURCES.format(catalog=CATALOG, schema=SCHEMA, table=TABLE))
        (models / "with_error.sql").write_text(_PASSED)
        (models / "stored.sql").write_text(_STORED)
        self._directory = str(directory)

    def invoke(self, *arguments):
        # Not before its environment is set
        from dbt.cli.main import dbtRunner

        places = ("--project-dir", self._directory, "--profiles-dir", self._directory)
        return dbtRunner().invoke(["--no-use-colors", *arguments, *places])

    def succeed(self, *arguments):
        answer = self.invoke(*arguments)
        if not answer.success:
            raise AssertionError(f"dbt {arguments}: {_said(answer)}") from answer.exception
        return answer.result

    def rows(self, *arguments):
        return [tuple(row) for row in self.succeed(*arguments).results[0].agate_table.rows]

    def fail(self, *arguments):
        """What it said."""
        answer = self.invoke(*arguments)
        if answer.success:
            raise AssertionError(f"dbt {arguments} did not fail")
        return _said(answer)


def _said(answer):
    results = getattr(answer.result, "results", ())
    return "\n".join([str(answer.exception or ""), *(str(result.message) for result in results)])


def _profiles(job):
    return "lake:\n  target: reader\n  outputs:\n" + "".join(
        f"""    {target}:
      type: trino
      host: {job.host}
      port: {job.port}
      database: {CATALOG}
      schema: {SCHEMA}
      user: {user.name}
      threads: 1
{_login(job, target)}"""
        for target, user in (("reader", job.reader), ("stranger", job.stranger))
    )


def _login(job, target):
    if not job.closed:
        return "      method: none\n"
    return f"""      method: ldap
      password: "{{{{ env_var('{_variable(target)}') }}}}"
      cert: {job.authorities}
"""


def _variable(target):
    """dbt prints no variable whose name begins so."""
    return f"DBT_ENV_SECRET_{target.upper()}"


@contextmanager
def _environment(job):
    before = dict(os.environ)
    # These go before the certificate of the profile
    for name in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):
        os.environ.pop(name, None)
    os.environ[_variable("reader")] = job.reader.token
    os.environ[_variable("stranger")] = job.stranger.token
    os.environ["DBT_SEND_ANONYMOUS_USAGE_STATS"] = "false"
    os.environ["DO_NOT_TRACK"] = "1"
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
