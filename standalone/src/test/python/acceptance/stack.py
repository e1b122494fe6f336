"""A stack started by `bin/cordwood up`, its Kafka topic and its SQL."""

import json
import os
import re
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlparse

import confluent_kafka
import trino

STREAM = "logs"
PEER = "iceberg"
_TIMEOUT_SECONDS = 600


class Stack:
    """Commands of `bin/cordwood` on one home. Not thread-safe."""

    def __init__(self, root, home):
        self.command = str(Path(root) / "bin" / "cordwood")
        self.home = Path(home)

    def run(self, *arguments, input=None):
        """What the command prints. Raises RuntimeError with its output if it fails."""
        options = {} if input is not None else {"stdin": subprocess.DEVNULL}
        result = subprocess.run(
            [self.command, *arguments, "--home", str(self.home)],
            input=input,
            capture_output=True,
            text=True,
            encoding="utf-8",
            **options,
        )
        if result.returncode:
            shown = " ".join(arguments)
            raise RuntimeError(f"bin/cordwood {shown}: code {result.returncode}\n{result.stdout}{result.stderr}")
        return result.stdout

    def up(self, *options):
        self.run("up", "--detach", *options)
        self.up_already()

    def up_already(self):
        self.endpoints = json.loads((self.home / "endpoints.json").read_text())

    def down(self):
        self.run("down")

    def pid(self, service):
        return int((self.home / "run" / f"{service}.pid").read_text().split()[0])

    def kill(self, service):
        """kill -9; the supervisor is to start it again."""
        killed = self.pid(service)
        os.kill(killed, signal.SIGKILL)
        return killed

    def await_restart(self, service, killed):
        """Waits until the service runs anew and `status` calls everything ready."""
        self.await_true(lambda: self._restarted(service, killed), f"{service} to run again")

    def _restarted(self, service, killed):
        try:
            if self.pid(service) == killed:
                return False
            self.run("status")
            return True
        except (OSError, ValueError, IndexError, RuntimeError):
            return False

    def await_archived(self):
        """Waits until `status` says that every record is in a table."""
        if not self.archived_within(_TIMEOUT_SECONDS):
            raise RuntimeError(f"not all records are archived after {_TIMEOUT_SECONDS} s; see {self.home}/log")

    def archived_within(self, seconds):
        """Whether every record is in a table after so long."""
        end = time.monotonic() + seconds
        while not self._archived():
            if time.monotonic() > end:
                return False
            time.sleep(0.5)
        return True

    def _archived(self):
        try:
            text = self.run("status")
        except RuntimeError:
            return False
        left = re.search(rf"stream {STREAM}: ([\d,]+) records not yet archived", text)
        return bool(left) and left.group(1) == "0"

    def await_true(self, condition, what):
        end = time.monotonic() + _TIMEOUT_SECONDS
        while not condition():
            if time.monotonic() > end:
                raise RuntimeError(f"waited {_TIMEOUT_SECONDS} s for {what}; see {self.home}/log")
            time.sleep(0.5)

    def schemas(self):
        """Schema by tenant, as `tenant list` prints them."""
        found = {}
        for line in self.run("tenant", "list").splitlines():
            words = [word.strip() for word in line.split(" | ")]
            if len(words) > 2:
                found[words[0]] = words[1]
        return found

    def sql(self, catalog="cordwood", session=None, **options):
        address = urlparse(self.endpoints["trino"])
        connection = trino.dbapi.connect(
            host=address.hostname,
            port=address.port,
            user="acceptance",
            catalog=catalog,
            session_properties=session or {},
            **options,
        )
        return Sql(connection)

    def producer(self, **options):
        return confluent_kafka.Producer(
            {
                "bootstrap.servers": self.endpoints["kafka"],
                "compression.type": "zstd",
                "linger.ms": 20,
                "enable.idempotence": True,
                **options,
            }
        )

    def consume(self, topic, keep):
        """All records of a topic from its start to its end, for which `keep(key)` holds."""
        consumer = confluent_kafka.Consumer(
            {
                "bootstrap.servers": self.endpoints["kafka"],
                "group.id": "acceptance",
                "enable.auto.commit": False,
                "isolation.level": "read_committed",
                "enable.partition.eof": True,
                "auto.offset.reset": "earliest",
            }
        )
        partitions = sorted(consumer.list_topics(topic, 30).topics[topic].partitions)
        consumer.assign(
            [confluent_kafka.TopicPartition(topic, p, confluent_kafka.OFFSET_BEGINNING) for p in partitions]
        )
        ended, records = set(), []
        while len(ended) < len(partitions):
            for message in consumer.consume(5_000, 0.5):
                if message.error():
                    if message.error().code() != confluent_kafka.KafkaError._PARTITION_EOF:
                        raise RuntimeError(f"Kafka: {message.error()}")
                    ended.add(message.partition())
                elif keep(message.key()):
                    records.append(
                        Record(
                            message.partition(),
                            message.offset(),
                            message.timestamp()[1] * 1_000,
                            message.key(),
                            message.value(),
                            dict(message.headers() or ()),
                        )
                    )
        consumer.close()
        return sorted(records, key=lambda record: (record.partition, record.offset))


@dataclass(frozen=True)
class Record:
    """A record as Kafka holds it."""

    partition: int
    offset: int
    append_micros: int
    key: bytes
    value: bytes
    headers: dict


class Sql:
    """Trino through its own Python client."""

    def __init__(self, connection):
        self._connection = connection

    def rows(self, statement):
        cursor = self._connection.cursor()
        cursor.execute(statement)
        return [tuple(row) for row in cursor.fetchall()]

    def value(self, statement):
        return self.rows(statement)[0][0]

    def lists(self, statement, parameters):
        """The rows as the client gives them, with a parameter for each ? in the statement."""
        cursor = self._connection.cursor()
        cursor.execute(statement, parameters)
        return cursor.fetchall()

    def described(self, statement):
        """Names and types of the columns."""
        cursor = self._connection.cursor()
        cursor.execute(statement)
        return cursor.description


def ship(producer, tenant, values):
    """Sends the values with the tenant as key; returns when all are acknowledged."""
    failures = []

    def delivered(error, _):
        if error:
            failures.append(error)

    key = tenant.encode()
    for i, value in enumerate(values):
        while True:
            try:
                producer.produce(STREAM, key=key, value=value, on_delivery=delivered)
                break
            except BufferError:
                producer.poll(0.1)
        if i % 1_000 == 0:
            producer.poll(0)
    if producer.flush(120) or failures:
        raise RuntimeError(f"Kafka did not take records of {tenant}: {failures[:1]}")
