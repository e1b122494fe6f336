"""Executes the notebooks on a stack and writes them with their outputs: see --help."""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import confluent_kafka
import nbclient
import nbformat

import sample
import stack

HERE = Path(__file__).resolve().parent
CORDWOOD = str(HERE.parent / "bin" / "cordwood")
TIMEOUT_SECONDS = 300
OPTIONS = ("--max-age", "4", "--partitions", "24", "--parallelism", "4")
CELL_SECONDS = 300


def main():
    options = _options()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the stack is stopped in this case too
    notebooks = _chosen(options.notebook)
    say = _Clock()
    try:
        if options.home:
            _run(Path(options.home).resolve(), notebooks, options.output, say)
        else:
            _run_on_own_stack(notebooks, options.output, say)
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    except stack.NoStack as error:
        raise SystemExit(str(error)) from None
    except (stack.trino.exceptions.TrinoConnectionError, stack.requests.RequestException) as error:
        raise SystemExit(f"the stack does not answer: {error}") from None
    say(f"{len(notebooks)} notebooks executed, written to {options.output}")


def _run_on_own_stack(notebooks, output, say):
    """On a stack in a temporary directory, which is kept with its logs after a failure."""
    scratch = Path(tempfile.mkdtemp(prefix="cordwood-notebooks-"))
    home = scratch / "home"
    say("starting a stack")
    try:
        try:
            _cordwood(home, "up", "--detach", *OPTIONS)
            _run(home, notebooks, output, say)
        finally:
            if home.is_dir():
                _cordwood(home, "down")
    except BaseException:
        say(f"the logs of the stack stay in {home / 'log'}")
        raise
    shutil.rmtree(scratch)


def _run(home, notebooks, output, say):
    os.environ["CORDWOOD_HOME"] = str(home)
    stack.endpoints()
    _ship(say)
    output.mkdir(parents=True, exist_ok=True)
    for notebook in notebooks:
        _execute(notebook, output / notebook.name)
        say(f"{notebook.name} executed")


class _Clock:
    def __init__(self):
        self._begun = time.monotonic()

    def __call__(self, text):
        print(f"{time.monotonic() - self._begun:6.1f} s  {text}", flush=True)


def _options():
    parser = argparse.ArgumentParser(
        prog="notebooks/run",
        description="Executes the notebooks on a stack, each cell, and writes them with their outputs. Without --home "
        "it starts its own stack in a temporary directory and stops it at the end. The sample tenants "
        f"({', '.join(sample.ROWS)}) are shipped to stream {sample.STREAM} unless the stack has them.",
    )
    parser.add_argument("--home", metavar="DIR", help="the home of a running stack (bin/cordwood up --home DIR)")
    parser.add_argument(
        "--output", metavar="DIR", type=Path, default=HERE, help="where the executed notebooks go (default: in place)"
    )
    parser.add_argument("notebook", nargs="*", help="names or beginnings of names, such as 02 (default: all)")
    return parser.parse_args()


def _chosen(names):
    found = sorted(HERE.glob("[0-9]*.ipynb"))
    for name in names:
        if not any(notebook.name.startswith(name) for notebook in found):
            raise SystemExit(f"no notebook {name}; there are {', '.join(each.name for each in found)}")
    return [notebook for notebook in found if not names or notebook.name.startswith(tuple(names))]


def _cordwood(home, *arguments):
    done = subprocess.run(
        [CORDWOOD, *arguments, "--home", str(home)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True,
    )
    if done.returncode:
        raise SystemExit(f"bin/cordwood {arguments[0]} ended with code {done.returncode}:\n{done.stdout.strip()}")


def _ship(say):
    """Ships missing rows of the sample, and waits until all of it is in LogBlocks."""
    missing = [tenant for tenant in sample.ROWS if _rows(tenant) == 0]
    for tenant in missing:
        _produce(tenant)
    if missing:
        say(f"{sum(map(sample.total, missing)):,} rows of {len(missing)} tenants acknowledged")
    for tenant in sample.ROWS:
        found = _rows(tenant)
        if found != sample.total(tenant):
            raise SystemExit(
                f"{tenant}.{sample.STREAM} holds {found:,} rows, the sample has {sample.total(tenant):,}: "
                f"delete the earlier rows with bin/cordwood tenant delete {tenant} --yes"
            )
    _await(
        lambda: all(_rows(tenant, hot_tail="off") == sample.total(tenant) for tenant in sample.ROWS),
        "not all rows are in LogBlocks: bin/cordwood status shows how far behind the ingest job is, "
        "bin/cordwood up --max-age sets how long rows may wait",
    )
    say("all rows are in LogBlocks")
    _await(
        lambda: stack.balancer(f"/api/load?stream={sample.STREAM}")["workers"],
        "the balancer knows of no worker: bin/cordwood status shows whether the ingest job runs",
    )


def _await(condition, otherwise):
    end = time.monotonic() + TIMEOUT_SECONDS
    while not condition():
        if time.monotonic() > end:
            raise SystemExit(f"after {TIMEOUT_SECONDS} s {otherwise}")
        time.sleep(1)


def _rows(tenant, **session):
    """Number of rows; 0 for an unknown tenant."""
    try:
        answer = stack.query(f"SELECT count(*) AS n FROM {tenant}.{sample.STREAM}", **session)
    except stack.trino.exceptions.TrinoUserError as error:
        if error.error_name in ("SCHEMA_NOT_FOUND", "TABLE_NOT_FOUND"):
            return 0
        raise
    return int(answer["n"][0])


def _produce(tenant):
    producer = confluent_kafka.Producer(
        {
            "bootstrap.servers": stack.endpoints()["kafka"],
            "client.id": tenant,
            "enable.idempotence": True,
            "compression.type": "zstd",
            "linger.ms": 20,
        }
    )
    refused = []

    def answered(error, _):
        if error:
            refused.append(error)

    for value in sample.values(tenant):
        while True:
            try:
                producer.produce(sample.STREAM, key=tenant, value=value, on_delivery=answered)
                break
            except BufferError:
                producer.poll(0.1)
        producer.poll(0)
    if producer.flush(60) or refused:
        raise SystemExit(f"Kafka did not accept the rows of {tenant}: {refused[:1] or 'no answer in 60 s'}")


def _execute(source, target):
    notebook = nbformat.read(source, as_version=4)
    client = nbclient.NotebookClient(
        notebook,
        timeout=CELL_SECONDS,
        kernel_name="python3",
        extra_arguments=["--IPKernelApp.log_level=ERROR"],
        resources={"metadata": {"path": str(HERE)}},
    )
    try:
        client.execute()
    except (nbclient.exceptions.CellExecutionError, nbclient.exceptions.CellTimeoutError) as error:
        raise SystemExit(f"{source.name}: {error}") from None
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
    notebook.metadata = {"kernelspec": notebook.metadata["kernelspec"], "language_info": {"name": "python"}}
    nbformat.validate(notebook)
    text = nbformat.writes(notebook) + "\n"
    _refuse_places(source.name, text)
    target.write_text(text)


def _refuse_places(name, text):
    """Outputs that name this machine's directories or ports would differ everywhere."""
    places = [str(HERE.parent), os.environ["CORDWOOD_HOME"], *map(str, stack.endpoints().values())]
    found = [place for place in places if place in text] + re.findall(r"(?:localhost|127\.0\.0\.1):\d+", text)
    if found:
        raise SystemExit(f"{name} is not written: its outputs name {', '.join(sorted(set(found)))}")


if __name__ == "__main__":
    sys.exit(main())
