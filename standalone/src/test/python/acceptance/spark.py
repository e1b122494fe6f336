"""The same tables through Spark, in the versions that are in use. Their packages are downloaded once, some 900 MB."""

import glob
import json
import os
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

_JAVA_PLACES = ("/usr/lib/jvm/*17*", "/usr/lib/jvm/*21*", "/Library/Java/JavaVirtualMachines/*17*/Contents/Home")


@dataclass(frozen=True)
class Version:
    spark: str
    scala: str
    iceberg: str

    def __str__(self):
        return f"Spark {self.spark}, Iceberg {self.iceberg}"

    @property
    def artifact(self):
        return f"iceberg-spark-runtime-{'.'.join(self.spark.split('.')[:2])}_{self.scala}"


VERSIONS = (
    Version("3.5.9", "2.12", "1.10.1"),
    Version("3.5.9", "2.12", "1.11.0"),
    Version("4.0.5", "2.13", "1.10.1"),
    Version("4.0.5", "2.13", "1.11.0"),
)


@dataclass(frozen=True)
class Rewrite:
    """All data files of a table written anew, as `CALL system.rewrite_data_files` does."""

    schema: str
    codec: str

    def step(self):
        return {"do": "rewrite", "schema": self.schema, "codec": self.codec}


@dataclass(frozen=True)
class Delete:
    """A DELETE; `mode` is how: merge-on-read by delete files, copy-on-write, the default, by data files."""

    schema: str
    condition: str
    mode: str

    def step(self):
        return {"do": "delete", "schema": self.schema, "condition": self.condition, "mode": self.mode}


class Installation:
    """Spark with the packages that it needs, downloaded once into standalone/target. Stateless."""

    def __init__(self, root):
        self._root = Path(root)
        self._target = self._root / "standalone" / "target" / "spark"

    def python(self, version):
        place = self._target / f"spark-{version.spark}"
        python = place / "bin" / "python"
        if not (place / "installed").exists():
            venv.create(place, clear=True, with_pip=True)
            _run([str(python), "-m", "pip", "install", "--quiet", f"pyspark=={version.spark}"])
            (place / "installed").touch()
        return python

    def jar(self, artifact, version):
        """An artifact of Iceberg."""
        jar = self._target / f"{artifact}-{version}.jar"
        if not jar.exists():
            _run(
                [
                    str(self._root / "mvnw"),
                    "--quiet",
                    "--batch-mode",
                    "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy",
                    f"-Dartifact=org.apache.iceberg:{artifact}:{version}",
                    f"-DoutputDirectory={self._target}",
                ],
                cwd=self._root,
            )
        return jar

    def environment(self):
        """Variables for the Python of Spark, which finds the packages here with them."""
        here = Path(__file__).resolve().parents[1]
        return {**os.environ, "JAVA_HOME": _java_home(), "PYTHONPATH": str(here), "PYTHONDONTWRITEBYTECODE": "1"}


class SparkChecks:
    """Reads tables with each version of Spark, and has them changed. Not thread-safe."""

    def __init__(self, report, stack, root):
        self._report = report
        self._catalog = stack.endpoints["catalog"]
        self._installation = Installation(root)

    def read(self, tables):
        """`tables`: of each version those that it reads: tenant, schema, columns and the hash that is expected."""
        for version in VERSIONS:
            expected_tables = tables[version]
            if not expected_tables:
                continue
            found = dict(self._run(version, [], [(schema, columns) for _, schema, columns, _ in expected_tables]))
            for tenant, schema, _, expected in expected_tables:
                self._report.check(tenant, f"{version}: rows and hash", expected, found.get(schema))

    def change(self, version, changes):
        """Has a version of Spark make `changes`, by tenant; each is to change something."""
        done = self._run(version, [change.step() for change in changes.values()], [])
        for (tenant, change), outcome in zip(changes.items(), done, strict=True):
            self._report.check(tenant, f"{version}: {change}", [change.schema, "done"], outcome)

    def _run(self, version, steps, tables):
        jar = self._installation.jar(version.artifact, version.iceberg)
        job = {"jar": str(jar), "catalog": self._catalog, "steps": steps, "tables": tables}
        result = subprocess.run(
            [str(self._installation.python(version)), "-m", "acceptance.spark_reader"],
            input=json.dumps(job),
            capture_output=True,
            text=True,
            env=self._installation.environment(),
        )
        if result.returncode:
            raise RuntimeError(f"{version}: code {result.returncode}\n{result.stderr[-3000:]}")
        return [json.loads(line) for line in result.stdout.splitlines() if line.startswith("[")]


def _run(command, **options):
    result = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, **options)
    if result.returncode:
        raise RuntimeError(f"{' '.join(command)}: code {result.returncode}\n{result.stdout}{result.stderr}")


def _java_home():
    """Spark 3.5 and 4.0 both run on Java 17, and on none newer than 21."""
    named = os.environ.get("CORDWOOD_SPARK_JAVA_HOME")
    for place in [named] if named else [found for pattern in _JAVA_PLACES for found in sorted(glob.glob(pattern))]:
        if os.access(Path(place) / "bin" / "java", os.X_OK):
            return place
    sys.exit("acceptance: Spark needs a JDK 17: install one (Debian: openjdk-17-jdk) or set CORDWOOD_SPARK_JAVA_HOME")
