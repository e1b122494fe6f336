"""The logs of the notebooks: six hours of five tenants, with an incident in the shop's; always the same."""

import json
import random
from bisect import bisect
from datetime import datetime, timedelta, timezone
from itertools import accumulate

STREAM = "logs"
START = datetime(2026, 3, 12, 8, tzinfo=timezone.utc)
HOURS = 6
DEPLOYED = START + timedelta(hours=2, minutes=41)
ROLLED_BACK = START + timedelta(hours=3, minutes=26)
ROWS = {
    "sample_shop": 120_000,
    "sample_bank": 24_000,
    "sample_games": 12_000,
    "sample_news": 6_000,
    "sample_maps": 3_000,
}
SERVICES = {"gateway": 5, "catalogue": 4, "cart": 2, "checkout": 2, "payment": 2, "mail": 1}
HOSTS = 6
_PATHS = {
    "gateway": ["/", "/search", "/login", "/help"],
    "catalogue": ["/items", "/items/{n}", "/categories"],
    "cart": ["/cart", "/cart/items"],
    "checkout": ["/checkout", "/orders/{n}"],
    "payment": ["/payments", "/refunds"],
    "mail": ["/mails"],
}


def rows(tenant):
    """The tenant's rows in the order of their times, as dictionaries."""
    chooser = random.Random(f"cordwood {tenant}")
    has_incident = tenant == "sample_shop"
    made = [
        _request(chooser, START + timedelta(hours=HOURS * chooser.random()), has_incident) for _ in range(ROWS[tenant])
    ]
    return sorted(made + (_events() if has_incident else []), key=lambda row: row["ts"])


def total(tenant):
    """Number of the tenant's rows."""
    return ROWS[tenant] + (len(_events()) if tenant == "sample_shop" else 0)


def values(tenant):
    """The rows as values of Kafka records."""
    return [json.dumps(row).encode() for row in rows(tenant)]


def _request(chooser, at, has_incident):
    service = _pick(chooser, SERVICES)
    host = chooser.randrange(HOSTS)
    path = chooser.choice(_PATHS[service]).replace("{n}", str(chooser.randrange(1000, 9999)))
    status, level = 200, "INFO"
    duration = chooser.lognormvariate(3.2, 0.6)
    client = f"10.{chooser.randrange(4)}.{chooser.randrange(256)}.{chooser.randrange(256)}"
    sent = f"{chooser.randrange(200, 60_000)} bytes to {client} (session {chooser.getrandbits(40):010x})"
    message = f"GET {path} answered 200 in {duration:.0f} ms, {sent}"
    fate = chooser.random()
    if fate < 0.004:
        status, level = 500, "ERROR"
        message = f"GET {path} failed: unexpected end of stream from upstream {service}-db"
    elif fate < 0.02:
        status, level = 404, "WARN"
        message = f"GET {path} not found"
    elif fate < 0.12:
        level, message = "DEBUG", f"cache of {service} holds {chooser.randrange(10_000)} entries"
    version = "4.11.3"
    # The new version went to hosts 0 to 3 of payment; its pool of connections is exhausted increasingly often.
    if has_incident and service == "payment" and host < 4 and DEPLOYED <= at < ROLLED_BACK:
        version = "4.12.0"
        age = (at - DEPLOYED) / (ROLLED_BACK - DEPLOYED)
        if chooser.random() < 0.15 + 0.7 * age:
            status, level, duration = 503, "ERROR", 3000 + chooser.expovariate(1 / 40)
            message = (
                f"POST /payments failed: timeout after 3000 ms waiting for a connection, "
                f"connection pool payments-db exhausted (active 4, idle 0, waiting {chooser.randrange(20, 400)})"
            )
    return {
        "ts": at.isoformat(),
        "level": level,
        "service": service,
        "host": f"{service}-{host}",
        "version": version,
        "status": status,
        "duration_ms": round(duration, 2),
        "trace_id": f"{chooser.getrandbits(64):016x}",
        "message": message,
    }


def _events():
    """Single events: deployment, roll-back, and one order that a customer complains about."""
    order, trace = "order 88-4711-20", "5eed0fa7e11ab1e5"
    refused = (
        "POST /payments failed: timeout after 3000 ms waiting for a connection, "
        "connection pool payments-db exhausted (active 4, idle 0, waiting 212)"
    )

    def bought(milliseconds):
        return DEPLOYED + timedelta(minutes=31, seconds=7, milliseconds=milliseconds)

    return [
        _event(DEPLOYED, "INFO", "payment", "4.12.0", "deployed version 4.12.0 to payment-0..payment-3"),
        _event(bought(0), "INFO", "gateway", "4.11.3", f"POST /checkout accepted, {order}", trace),
        _event(bought(12), "INFO", "checkout", "4.11.3", f"{order}: reserving payment", trace),
        _event(bought(3021), "ERROR", "payment", "4.12.0", refused, trace, 503),
        _event(bought(3025), "WARN", "checkout", "4.11.3", f"{order}: payment failed, trying again", trace),
        _event(bought(6031), "ERROR", "checkout", "4.11.3", f"{order}: given up after 2 tries", trace, 503),
        _event(ROLLED_BACK, "INFO", "payment", "4.11.3", "rolled back to version 4.11.3 on payment-0..payment-3"),
    ]


def _event(at, level, service, version, message, trace=None, status=200):
    return {
        "ts": at.isoformat(),
        "level": level,
        "service": service,
        "host": f"{service}-0",
        "version": version,
        "status": status,
        "duration_ms": 3000.0 if status == 503 else 1.0,
        "trace_id": trace or "0000000000000000",
        "message": message,
    }


def _pick(chooser, weights):
    cumulative = list(accumulate(weights.values()))
    return list(weights)[bisect(cumulative, chooser.random() * cumulative[-1])]
