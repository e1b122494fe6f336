"""Spark, whose Iceberg is the Java client, by signing and with a vended key; in one session, as a start takes long."""

import subprocess
from pathlib import Path

from acceptance.spark import VERSIONS, Installation

_ROOT = Path(__file__).resolve().parents[5]


def both(job_file):
    version = VERSIONS[-1]
    installation = Installation(_ROOT)
    jars = [installation.jar(artifact, version.iceberg) for artifact in (version.artifact, "iceberg-aws-bundle")]
    subprocess.run(
        [str(installation.python(version)), "-m", "tools.spark_reader", job_file, ",".join(map(str, jars))],
        env=installation.environment(),
        stdin=subprocess.DEVNULL,
        check=True,
    )
