#!/usr/bin/env python3
"""A producer in plain Python that follows Cordwood's routing table: ships the lines of standard input for one tenant.

    pip install -r requirements.txt
    producer.py --kafka HOST:PORT --redis redis://HOST:PORT --tenant acme [--stream logs] < lines

All it takes is the key `cordwood:routes:<stream>` in Redis and the channel of the same name, which announces a new table.
A tenant without a route goes where Kafka's own partitioner sends it, and so does everything while Redis is away before
the first table was read.
"""
import argparse
import json
import random
import sys
import threading
import time

import redis
from kafka import KafkaProducer

RUN_BYTES = 65_536  # bytes of a tenant that stay on one partition, so that batches fill


class RoutingTable:
    """The newest table of a stream, kept up by a thread."""

    def __init__(self, url, stream):
        self.url = url
        self.key = f"cordwood:routes:{stream}"
        self.table = {"epoch": "", "version": 0, "routes": {}}
        self.first = threading.Event()
        threading.Thread(target=self._follow, daemon=True).start()
        self.first.wait(2)

    def _follow(self):
        while True:
            try:
                client = redis.Redis.from_url(self.url, socket_connect_timeout=2)
                announcements = client.pubsub()
                announcements.subscribe(self.key)
                # The first message confirms the subscription. A read after each message misses no table.
                for _ in announcements.listen():
                    self._take(client.get(self.key))
                    self.first.set()
            except redis.RedisError as problem:
                print(f"cannot read the table; the one in use stays: {problem}", file=sys.stderr)
                self.first.set()
                time.sleep(1)

    def _take(self, text):
        if text:
            table = json.loads(text)
            newer = table["version"] > self.table["version"]
            # In another epoch versions start again: Redis had lost its data.
            if newer or table.get("epoch", "") != self.table.get("epoch", ""):
                self.table = table
                print(f"table {table['version']} in use", file=sys.stderr)

    def routes(self, tenant):
        return self.table["routes"].get(tenant, [])


class Spreader:
    """Spreads one tenant's records over its routes by smooth weighted round-robin, counted in bytes: after a run each
    route is credited its share, the one that was used pays, and the one with the most credit is next."""

    def __init__(self, table, tenant):
        self.table = table
        self.tenant = tenant
        self.routes = []
        self.credits = []
        self.current = 0
        self.run = 0

    def next(self, size, partitions):
        """The partition of the next record; None for Kafka's own partitioner."""
        routes = [route for route in self.table.routes(self.tenant) if route["partition"] in partitions]
        if routes != self.routes:
            self.routes = routes
            self.credits = [0.0] * len(routes)
            self.run = 0
            self.current = random.choices(range(len(routes)), [each["weight"] for each in routes])[0] if routes else 0
        if not routes:
            return None
        if self.run >= RUN_BYTES:
            weights = sum(route["weight"] for route in routes)
            for i, route in enumerate(routes):
                self.credits[i] += self.run * route["weight"] / weights
            self.credits[self.current] -= self.run
            self.run = 0
            self.current = max(range(len(routes)), key=self.credits.__getitem__)
        self.run += size
        return routes[self.current]["partition"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kafka", required=True)
    parser.add_argument("--redis", required=True)
    parser.add_argument("--tenant", required=True)
    parser.add_argument("--stream", default="logs")
    arguments = parser.parse_args()

    # The balancer may hold a tenant to its share by the client's id.
    producer = KafkaProducer(
        bootstrap_servers=arguments.kafka, client_id=arguments.tenant, acks="all", linger_ms=20)
    spreader = Spreader(RoutingTable(arguments.redis, arguments.stream), arguments.tenant)
    sent = []
    for line in sys.stdin:
        line = line.rstrip("\n")
        value = (line if line.startswith("{") else json.dumps({"message": line})).encode()
        partition = spreader.next(len(value), producer.partitions_for(arguments.stream))
        sent.append(producer.send(
            arguments.stream, key=arguments.tenant.encode(), value=value, partition=partition))
    producer.flush()
    by_partition = {}
    for future in sent:
        partition = future.get(timeout=30).partition
        by_partition[partition] = by_partition.get(partition, 0) + 1
    print(f"{len(sent)} records acknowledged, by partition: {dict(sorted(by_partition.items()))}")


if __name__ == "__main__":
    main()
