#!/usr/bin/env python3
"""Generates the request_log set of LogStore's section 6: rows of many tenants whose text comes from real log lines.

Writes OUT.ndjson and OUT.parquet in arrival order, which is time order; tenants are interleaved. The same arguments
give the same bytes. Parts of a line that vary are drawn anew for each row: UUIDs, hexadecimal ids, addresses, times,
and half of the numbers of four or more digits, so that values repeat as they do in real logs. About four rows share a
trace id.

The bank of lines is not part of this project. It is a file of lines `service TAB level TAB line`, compressed with xz;
the level may be empty. requirements.txt lists the packages; another version of numpy may draw other rows.
"""

import argparse
import datetime as dt
import lzma
import os
import re
import sys
import time
from dataclasses import dataclass

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.parquet as pq

HOURS = 48
MINUTE = 60_000_000
START = int(dt.datetime(2026, 11, 18, tzinfo=dt.timezone.utc).timestamp() * 1_000_000)
SPAN = HOURS * 60 * MINUTE
EPOCH = dt.datetime(1970, 1, 1)
# Rows are drawn in chunks, each with a generator of its own: memory stays bounded.
CHUNK = 200_000
ROWS_OF_A_TRACE = 4
INCIDENT_MINUTES = 30

LEVEL = re.compile(
    r"\b(TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL|SEVERE)\b", re.I
)
LEVELS = {
    "TRACE": "DEBUG",
    "DEBUG": "DEBUG",
    "INFO": "INFO",
    "NOTICE": "INFO",
    "WARN": "WARN",
    "WARNING": "WARN",
    "ERROR": "ERROR",
    "FATAL": "FATAL",
    "CRITICAL": "FATAL",
    "SEVERE": "ERROR",
}
VARIABLE = re.compile(
    r"(?P<trace>TraceID: ?[0-9a-f]{32})|(?P<span>SpanID: ?[0-9a-f]{16})"
    r"|(?P<iso>\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?Z?)"
    r"|(?P<clf>\[\d\d/\w{3}/\d{4}:\d\d:\d\d:\d\d [+-]\d{4}\])"
    r"|(?P<uuid>(?<![0-9A-Za-z])[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})"
    r"|(?P<ip>(?<![\d.])\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?![\d.]))"
    r"|(?P<hex>(?<![0-9A-Za-z])(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{8,64}(?![0-9A-Za-z]))|(?P<num>\d{4,})"
)
TRACE, SPAN_ID, ISO, CLF, UUID, IP, HEX, NUMBER = range(8)
KINDS = {
    "trace": TRACE,
    "span": SPAN_ID,
    "iso": ISO,
    "clf": CLF,
    "uuid": UUID,
    "ip": IP,
    "hex": HEX,
    "num": NUMBER,
}

# A service with fewer lines would repeat itself.
LEAST_LINES = 50
SERVICES_OF_A_TENANT = 12
# Their lines are long, so only a quarter of the tenants has each.
LONG_LINES = ("win-events", "aws-cloudtrail")
RESOURCES = (
    "orders cart users payment search catalog login logout tickets travel"
    " station train seat route price food notify refund config health"
).split()
APIS = np.array(
    list(
        dict.fromkeys(
            f"/api/v{1 + i % 2}/{RESOURCES[i % 20]}" + ("", "/list", "/{id}")[i % 3] for i in range(60)
        )
    )
)

SCHEMA = pa.schema(
    [
        ("tenant_id", pa.int32()),
        ("ts", pa.timestamp("us")),
        ("ip", pa.string()),
        ("api", pa.string()),
        ("latency", pa.int32()),
        ("fail", pa.bool_()),
        ("level", pa.string()),
        ("service", pa.string()),
        ("log", pa.string()),
    ]
)


@dataclass
class Line:
    """A line of the bank: fixed text, and (kind, text) for each part that varies."""

    parts: tuple
    level: str
    has_trace: bool


class Bank:
    """The lines of all services that have enough of them, service by service."""

    def __init__(self, file):
        by_service = {}
        with lzma.open(file, "rt", encoding="utf-8", newline="\n") as rows:
            for row in rows:
                service, level, text = row.rstrip("\n").split("\t", 2)
                by_service.setdefault(service, []).append(parse(text, level))
        self.services = sorted(name for name, lines in by_service.items() if len(lines) >= LEAST_LINES)
        self.lines = [line for name in self.services for line in by_service[name]]
        self.sizes = np.array([len(by_service[name]) for name in self.services])
        self.starts = np.cumsum(self.sizes) - self.sizes


def parse(text, level):
    """Splits a line; without a level it has the one that its beginning names."""
    parts = []
    end = 0
    has_trace = False
    for match in VARIABLE.finditer(text):
        if match.start() > end:
            parts.append(text[end : match.start()])
        kind = KINDS[match.lastgroup]
        if kind == TRACE:
            has_trace = True
            parts.append("TraceID: ")
        elif kind == SPAN_ID:
            parts.append("SpanID: ")
        parts.append((kind, match.group()))
        end = match.end()
    if end < len(text):
        parts.append(text[end:])
    if not level:
        named = LEVEL.search(text[:200])
        level = LEVELS[named.group(1).upper()] if named else "INFO"
    return Line(tuple(parts), level, has_trace)


def cumulated(weights):
    """Where each item ends if all of them share the range from 0 to 1 by weight."""
    return np.cumsum(weights / weights.sum())


def zipf(count, exponent):
    return 1 / np.arange(1, count + 1) ** exponent


class Tenants:
    """What distinguishes tenants: size, services, favourite APIs, addresses, and one incident each."""

    def __init__(self, count, theta, seed, bank):
        rng = np.random.default_rng(seed)
        weights = zipf(count, theta)
        weights /= weights.sum()
        self.count = count
        self.ends = np.cumsum(weights)
        self.services = np.empty((count, SERVICES_OF_A_TENANT), np.int32)
        for tenant in range(count):
            self.services[tenant] = self._services(rng, bank.services)
        self.service_ends = cumulated(zipf(SERVICES_OF_A_TENANT, 0.8))
        self.api_ends = cumulated(zipf(len(APIS), 0.9))
        self.apis = np.array([rng.permutation(len(APIS)) for _ in range(count)])
        self.addresses = np.maximum(20, (2000 * (weights / weights[0]) ** 0.5).astype(int))
        self.incidents = rng.integers(0, HOURS * 60 - INCIDENT_MINUTES, count) * MINUTE

    @staticmethod
    def _services(rng, names):
        chosen = [i for i in rng.permutation(len(names)) if names[i] not in LONG_LINES]
        chosen = chosen[:SERVICES_OF_A_TENANT]
        for place, name in zip((-1, -2), LONG_LINES):
            if rng.random() < 0.25:
                chosen[place] = names.index(name)
        return chosen


def mixed(values):
    """SplitMix64: spreads 64-bit values."""
    with np.errstate(over="ignore"):
        values = values + np.uint64(0x9E3779B97F4A7C15)
        values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return values ^ (values >> np.uint64(31))


class Rows:
    """Draws chunks of rows, which must be asked for in order."""

    def __init__(self, count, seed, tenants, bank):
        self.count = count
        self.seed = seed
        self.tenants = tenants
        self.bank = bank
        self.rows_of_tenants = np.zeros(tenants.count, np.int64)
        # The arrival rate has a daily wave.
        self.grid = np.linspace(0, 1, 2881)
        rate = 1 + 0.5 * np.sin(2 * np.pi * (self.grid * 2 - 0.3))
        self.arrived = np.concatenate([[0], np.cumsum((rate[1:] + rate[:-1]) / 2)])
        self.arrived /= self.arrived[-1]

    def chunk(self, first):
        """The columns of the chunk that begins with this row, as lists by name."""
        size = min(CHUNK, self.count - first)
        tenants = self.tenants
        # The order of draws decides the bytes: keep it.
        rng = np.random.default_rng([self.seed, first])
        share = (np.arange(first, first + size) + rng.random(size)) / self.count
        times = START + (np.interp(share, self.arrived, self.grid) * SPAN).astype(np.int64)
        times.sort()
        tenant = np.searchsorted(tenants.ends, rng.random(size))
        tenant[tenant >= tenants.count] = tenants.count - 1
        traces = self._traces(tenant, size)
        service = tenants.services[tenant, _drawn(tenants.service_ends, rng.random(size))]
        line = self.bank.starts[service] + (rng.random(size) * self.bank.sizes[service]).astype(np.int64)
        address = self._addresses(tenant, rng.random(size))
        api = APIS[tenants.apis[tenant, _drawn(tenants.api_ends, rng.random(size))]]
        since = times - START - tenants.incidents[tenant]
        incident = (since >= 0) & (since < INCIDENT_MINUTES * MINUTE)
        fail = rng.random(size) < np.where(incident, 0.3, 0.02)
        latency = np.exp(rng.normal(3.7, 1.1, size)) * np.where(fail, 8, 1)
        latency = np.minimum(60_000, latency).astype(np.int32) + 1
        columns = {
            "tenant_id": (tenant + 1).tolist(),
            "ts": times.tolist(),
            "ip": address,
            "api": api.tolist(),
            "latency": latency.tolist(),
            "fail": fail.tolist(),
        }
        texts = Texts(rng, size, traces)
        lines = [self.bank.lines[i] for i in line.tolist()]
        columns["level"] = [
            "ERROR" if failed and chance > 0.3 else line.level
            for failed, chance, line in zip(columns["fail"], texts.chances, lines)
        ]
        columns["service"] = [self.bank.services[i] for i in service.tolist()]
        columns["log"] = [
            texts.text(i, line, columns["ts"][i], address[i]) for i, line in enumerate(lines)
        ]
        return columns

    def _traces(self, tenant, size):
        """Hexadecimal trace ids, one after another; consecutive rows of a tenant share one."""
        order = np.argsort(tenant, kind="stable")
        ordered = tenant[order]
        begins = np.r_[True, ordered[1:] != ordered[:-1]]
        position = np.arange(size)
        within = np.empty(size, np.int64)
        within[order] = position - np.maximum.accumulate(np.where(begins, position, 0))
        within += self.rows_of_tenants[tenant]
        np.add.at(self.rows_of_tenants, tenant, 1)
        key = ((tenant.astype(np.uint64) + np.uint64(1)) << np.uint64(40)) | (
            (within // ROWS_OF_A_TRACE).astype(np.uint64)
        )
        seed = np.uint64((self.seed * 0x9E3779B97F4A7C15) & ((1 << 64) - 1))
        ids = np.empty((size, 2), np.uint64)
        ids[:, 0] = mixed(key ^ seed)
        ids[:, 1] = mixed(ids[:, 0] ^ key)
        return ids.astype(">u8").tobytes().hex()

    def _addresses(self, tenant, chance):
        """Each tenant has a pool of addresses, of which few occur often."""
        entry = (self.tenants.addresses[tenant] * chance**2.5).astype(np.int64)
        bits = mixed((tenant.astype(np.uint64) << np.uint64(20)) | entry.astype(np.uint64) | np.uint64(1 << 55))
        octets = [((bits >> np.uint64(shift)).astype(np.int64) & 255).tolist() for shift in (0, 8, 16, 24)]
        return [f"{a % 223 + 1}.{b}.{c}.{d}" for a, b, c, d in zip(*octets)]


def _drawn(ends, chance):
    return np.searchsorted(ends, chance).clip(0, len(ends) - 1)


class Texts:
    """Fills in the parts of lines that vary, from digits that were drawn for the whole chunk."""

    def __init__(self, rng, size, traces):
        self.traces = traces
        self.chances = rng.random(size).tolist()
        self.states = np.frombuffer(rng.bytes(size), np.uint8).tolist()
        self.digits = (rng.integers(0, 10, size * 24, dtype=np.uint8) + 48).tobytes().decode()
        self.hex = rng.bytes(size * 16).hex()
        self.next_digit = 0
        self.next_hex = 0
        self.second = -1

    def text(self, row, line, micros, address):
        state = self.states[row]
        trace = self.traces[row * 32 : row * 32 + 32]
        out = []
        for part in line.parts:
            if part.__class__ is str:
                out.append(part)
                continue
            kind, old = part
            if kind == NUMBER:
                state = (state * 5 + 1) & 255
                out.append(old if state & 64 else self._number(old))
            elif kind == TRACE:
                out.append(trace)
            elif kind == SPAN_ID:
                out.append(self._hex(16))
            elif kind == HEX:
                out.append(self._hex(len(old)))
            elif kind == UUID:
                new = self._hex(32)
                out.append(f"{new[:8]}-{new[8:12]}-{new[12:16]}-{new[16:20]}-{new[20:]}")
            elif kind == IP:
                out.append(address if state & 1 else old)
            else:
                out.append(self._time(kind, micros))
        if not line.has_trace and self.chances[row] < 0.7:
            out.append(" trace_id=" + trace)
        return "".join(out)

    def _number(self, old):
        length = len(old)
        new = self.digits[self.next_digit : self.next_digit + length] if length <= 20 else old
        self.next_digit += length
        if self.next_digit > len(self.digits) - 64:
            self.next_digit = 0
        return new

    def _hex(self, length):
        new = self.hex[self.next_hex : self.next_hex + length]
        self.next_hex += length
        if self.next_hex > len(self.hex) - 80:
            self.next_hex = 0
        return new

    def _time(self, kind, micros):
        second = micros // 1_000_000
        if second != self.second:
            self.second = second
            instant = EPOCH + dt.timedelta(seconds=second)
            self.iso = instant.strftime("%Y-%m-%dT%H:%M:%S")
            self.clf = instant.strftime("[%d/%b/%Y:%H:%M:%S +0000]")
        return f"{self.iso}.{micros % 1_000_000:06d}Z" if kind == ISO else self.clf


def write(out, rows, with_ndjson):
    """Writes all rows; returns the bytes of JSON."""
    json_bytes = 0
    names = SCHEMA.names
    ndjson = open(f"{out}.ndjson", "wb", buffering=1 << 22) if with_ndjson else None
    parquet = pq.ParquetWriter(
        f"{out}.parquet", SCHEMA, compression="zstd", use_dictionary=["ip", "api", "level", "service"]
    )
    with parquet:
        for first in range(0, rows.count, CHUNK):
            columns = rows.chunk(first)
            arrays = [pa.array(columns[field.name]).cast(field.type) for field in SCHEMA]
            parquet.write_table(pa.table(arrays, schema=SCHEMA))
            if ndjson:
                values = zip(*(columns[name] for name in names))
                text = b"\n".join(orjson.dumps(dict(zip(names, row))) for row in values) + b"\n"
                ndjson.write(text)
                json_bytes += len(text)
    if ndjson:
        ndjson.close()
    return json_bytes


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, required=True)
    parser.add_argument("--out", required=True, help="the files' path without its ending")
    parser.add_argument("--bank", required=True, help="the lines, compressed with xz")
    parser.add_argument("--seed", type=int, default=42)
    parser.add_argument("--tenants", type=int, default=1000)
    parser.add_argument("--theta", type=float, default=0.99, help="exponent of the tenants' sizes")
    parser.add_argument("--no-ndjson", action="store_true", help="Parquet only")
    arguments = parser.parse_args()

    begun = time.time()
    bank = Bank(arguments.bank)
    tenants = Tenants(arguments.tenants, arguments.theta, arguments.seed, bank)
    rows = Rows(arguments.rows, arguments.seed, tenants, bank)
    json_bytes = write(arguments.out, rows, not arguments.no_ndjson)
    parquet_bytes = os.path.getsize(f"{arguments.out}.parquet")
    seconds = time.time() - begun
    print(
        f"{arguments.rows} rows, ndjson {json_bytes} bytes, parquet {parquet_bytes} bytes, {seconds:.1f} s",
        file=sys.stderr,
    )


if __name__ == "__main__":
    main()
