"""The log lines that are shipped: real ones if there are any, else generated ones of the same shape."""

import datetime
import json
import lzma
import random
from dataclasses import dataclass
from pathlib import Path

BASE = datetime.datetime(2024, 2, 28, 23, 58, tzinfo=datetime.timezone.utc)


@dataclass
class Tenant:
    """A tenant and what is shipped for it, one line a record.

    `plain` lines are not JSON objects; `shape` says which checks fit.
    """

    name: str
    lines: list
    plain: bool = False


def tenants(shared, rows, seed, requests=0):
    """All tenants but the numbered ones; `requests` is how many rows of requests there are beside them."""
    found = _real(Path(shared)) if shared else _generated(rows, random.Random(seed))
    if requests:
        found.append(request_log(requests, shared, random.Random(seed)))
    return found + [promises(), plain_lines(), reserved_name(), longest_name()]


def _real(shared):
    services = {}
    with lzma.open(shared / "bank.tsv.xz", "rt", encoding="utf-8", newline="\n") as lines:
        for line in lines:
            service, level, text = line.removesuffix("\n").split("\t", 2)
            services.setdefault(service, []).append((level, text))
    found = [
        Tenant(name, [timed(i, level, text) for i, (level, text) in enumerate(lines)])
        for name, lines in sorted(services.items())
    ]
    for name in ("windows_events", "onlineboutique"):
        with lzma.open(shared / f"{name}.jsonl.xz", "rt", encoding="utf-8", newline="\n") as lines:
            found.append(Tenant(name, [line.removesuffix("\n") for line in lines]))
    return found


def timed(i, level, text):
    """A line as a record: times in each form that the contract names, out of order, with ties, over two days."""
    record = {"ts": _time(i)}
    if level:
        record["level"] = level
    elif i % 3 == 0:
        record["level"] = ""
    elif i % 3 == 1:
        record["level"] = None
    record["message"] = text
    return json.dumps(record, ensure_ascii=i % 2 == 0)


def request_log(rows, shared, random):
    """Requests of a web service, with numbers and truth values beside lines of text, over two days."""
    if shared:
        with lzma.open(Path(shared) / "bank.tsv.xz", "rt", encoding="utf-8", newline="\n") as lines:
            bank = [line.removesuffix("\n").split("\t", 2) for line in lines]
    else:
        bank = [("generated", "INFO", _message(random)) for _ in range(1_000)]
    return Tenant("request_log", [_request(i, rows, bank, random) for i in range(rows)])


def _request(i, rows, bank, random):
    service, level, text = random.choice(bank)
    fails = random.random() < 0.02
    return json.dumps(
        {
            "ts": 1_763_424_000_000_000 + i * 172_800_000_000 // rows,
            "ip": f"10.{random.randrange(4)}.{random.randrange(256)}.{random.randrange(1, 255)}",
            "api": f"/api/v{random.randint(1, 2)}/{random.choice(('orders', 'cart', 'users', 'payment'))}",
            "latency": int(random.lognormvariate(3.7, 1.1)) * (8 if fails else 1) + 1,
            "fail": fails,
            "level": "ERROR" if fails else level or "INFO",
            "service": service,
            "log": text,
        },
        ensure_ascii=False,
    )


def _time(i):
    step = i ^ 5 if i % 7 == 0 else i
    instant = BASE + datetime.timedelta(microseconds=(step // 3) * 123_457)
    micros = (instant - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)) // datetime.timedelta(
        microseconds=1
    )
    zoned = instant.astimezone(datetime.timezone(datetime.timedelta(hours=5, minutes=30)))
    forms = (
        lambda: instant.strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        lambda: zoned.strftime("%Y-%m-%dT%H:%M:%S.%f") + "+05:30",
        lambda: instant.strftime("%Y-%m-%d %H:%M:%S,%f"),
        lambda: micros,
        lambda: micros // 1000,
        lambda: micros * 1000 + 999,
        lambda: instant.strftime("%Y-%m-%dT%H:%M:%S.%f") + "789z",
        lambda: micros // 1_000_000,
    )
    return forms[i % len(forms)]()


_WORDS = (
    "connection refused timeout retry request response served GET POST /api/v1/users /health user_id=4711 10.0.0.1 "
    "192.168.17.254:8080 ERROR error Failed failed INFO null exception java.lang.IllegalStateException at "
    "com.example.Foo.bar(Foo.java:42) status=200 status=503 latency_ms=17 99.9% C:\\Windows\\System32 key=\"quoted\" 'single' "
    "naïve Größe STRASSE straße ΟΔΥΣΣΕΥΣ Οδυσσεύς İstanbul ISPARTA ısı Ærø Łódź Ǆ ǅ ﬁn №5 x² ½ ٣٤٥ १२३ ４２ _ __ a_b -- "
    "e\u0301te\u0301 été Å A\u030a привет МИР שלום مرحبا नमस्ते สวัสดี 안녕하세요 こんにちは カタカナ 北京 上海市 東京都 "
    "数据库连接超时 𠀋𠮷野家 〇々〆 𐐀𐐨 🦆 👩‍💻 ⅷ Ⅷ aé日b x\u200dy soft\u00adhyphen no\u00a0break tab\there OR NOT or not and"
).split(" ")


def _message(random):
    words = [random.choice(_WORDS) for _ in range(random.randint(1, 18))]
    kind = random.random()
    if kind < 0.25:
        words.insert(random.randrange(len(words) + 1), _uuid(random))
    if kind < 0.5:
        words.insert(random.randrange(len(words) + 1), str(random.randrange(10 ** random.randint(1, 18))))
    if kind > 0.985:
        words.append("long" * random.choice((63, 64, 65, 100)) + str(random.randrange(3)))
    if kind > 0.97:
        words.append(json.dumps({"severity": "warning", "message": " ".join(words[:4]), "n": random.randrange(9)}))
    return " ".join(words)


def _uuid(random):
    digits = f"{random.getrandbits(128):032x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def _generated(rows, random):
    names = ("ts-seat-service", "web_apache", "12276", "kafka-broker", "Acme Prod", "größe/北京")
    shares = (0.85, 0.05, 0.03, 0.02, 0.01, 0.005)
    levels = ("", "", "", "INFO", "WARN", "ERROR", "Ошибка")
    found = [
        Tenant(name, [timed(i, random.choice(levels), _message(random)) for i in range(max(20, int(rows * share)))])
        for name, share in zip(names, shares)
    ]
    found.append(Tenant("events", [_event(i, random) for i in range(int(rows * 0.1))]))
    found.append(Tenant("boutique", [_container(i, random) for i in range(int(rows * 0.05))]))
    return found


def _event(i, random):
    """Hundreds of members over all records, types that change, nesting, nulls."""
    event = {
        "@timestamp": _time(i),
        "EventID": random.randrange(5000),
        "Channel": random.choice(("Security", "Sysmon")),
    }
    for _ in range(random.randint(0, 12)):
        n = random.randrange(260)
        event[f"Field{n}"] = (_uuid(random), random.randrange(1 << 40), random.random(), random.random() < 0.5)[n % 4]
    event["Task"] = random.choice((13, "13", 2.5, True, None, "Logon"))
    event["Load"] = random.choice((0.5, 1, 7, 1e3, None))
    event["Keywords"] = random.choice((-9223372036854775808, 9223372036854775807, 1 << 70, 0))
    event["tags"] = [["mordor", i % 3], [], ["a b", {"x": [1.50, None]}]][i % 3]
    event["Event"] = {"Data": {"Name": _message(random), "Size": i}, "Empty": None}
    event["_index"] = "logs"
    event["attributes"] = {"k": i % 2 == 0}
    event["Message"] = _message(random) + "\r\n\tRuleName: -\r\n"
    if random.random() < 0.01:
        del event["@timestamp"]
    return json.dumps(event, ensure_ascii=False)


def _container(i, random):
    inner = {"timestamp": _time(i - i % 8), "severity": random.choice(("INFO", "debug")), "message": _message(random)}
    return json.dumps(
        {
            "ts": _time(i - i % 8),
            "pod": f"recommendationservice-{random.randrange(4)}",
            "node": "33.33.33.155",
            "trace": f"{random.getrandbits(128):032x}",
            "span": f"{random.getrandbits(64):016x}",
            "log": json.dumps(inner, ensure_ascii=False),
        }
    )


def promises():
    """A record for each promise of the contract about members, types and times."""
    ts = '"ts":"2024-03-01T10:00:00Z"'
    lines = [
        # Event time: order of the members, what does not parse, forms.
        '{"time":"2024-03-01T00:00:04Z","timestamp":"2024-03-01T00:00:03Z","@timestamp":"2024-03-01T00:00:02Z","ts":"2024-03-01T00:00:01Z"}',
        '{"time":"2024-03-01T00:00:04Z","timestamp":"2024-03-01T00:00:03Z","@timestamp":"yesterday","ts":"never"}',
        '{"ts":null,"time":1709251200}',
        '{"ts":1709251200.123456789,"level":"seconds with a fraction"}',
        '{"ts":1709251200123,"level":"milliseconds"}',
        '{"ts":1709251200123456,"level":"microseconds"}',
        '{"ts":1709251200123456789,"level":"nanoseconds"}',
        '{"ts":"2024-02-29 23:59:59,999999999","level":"space, comma, cut"}',
        '{"ts":"2024-03-01T00:30:00.5+01:00","level":"the day before in UTC"}',
        '{"ts":"1969-12-31T23:59:59Z","level":"before the epoch"}',
        '{"ts":"0001-01-01T00:00:00Z","level":"long ago"}',
        '{"ts":"2190-01-01T00:00:00Z","level":"future: restamped"}',
        '{"ts":99999999999,"level":"the year 5138: restamped"}',
        '{"level":"no time at all"}',
        # Types: the first value decides; what happens to later ones.
        f'{{{ts},"s":"text","i":1,"f":1.5,"b":true,"n":null,"a":[1, "x", {{"y": [ ]}}]}}',
        f'{{{ts},"s":17,"i":-9223372036854775808,"f":3,"b":false,"n":"now","a":"not an array"}}',
        f'{{{ts},"s":1.50,"i":9223372036854775807,"f":-0.0,"b":"true","n":5,"a":true}}',
        f'{{{ts},"s":true,"i":9223372036854775808,"f":1e300,"b":1,"a":[]}}',
        f'{{{ts},"s":[1,2],"i":2.5,"f":"three","b":null,"a":-0}}',
        f'{{{ts},"s":"","i":"four","f":true,"b":[true]}}',
        f'{{{ts},"i":false,"f":[1.5]}}',
        f'{{{ts},"i":[4],"i2":1E2}}',
        f'{{{ts},"i":-1.0,"i2":7}}',
        # Names and nesting.
        f'{{{ts},"Http":{{"Status":200,"Request":{{"Method":"GET","Path":"/a"}}}},"http.version":"1.1"}}',
        f'{{{ts},"HTTP":{{"status":503.5}},"Größe":1,"with space":2,"1st":3,"a-b":4,"日本":5,"q\\"uote":6}}',
        f'{{{ts},"kubernetes":{{"labels":{{"app.kubernetes.io/name":"x"}}}}}}',
        f'{{{ts},"twice":1,"twice":2,"Twice":3,"x.y":"dotted","x":{{"y":"nested"}},"nothing":{{}},"deep":{{"nothing":{{}}}}}}',
        f'{{{ts},"big":18446744073709551616,"con\\u0007trol":1,"{"n" * 600}":2}}',
        f'{{{ts},"big":9007199254740993,"half":"\\ud800!"}}',
        '{"TimeStamp":"2024-03-01T11:11:11Z","Time":5}',
        # Reserved names.
        f'{{{ts},"tenant_id":"somebody else","attributes":"mine","_kafka_offset":7,"$path":"p","":"empty","_id":"x"}}',
        f'{{{ts},"attributes":{{"x":1,"y":{{"z":[1]}}}},"_a":{{"b":true}},"inner":{{"_ok":1,"ts":"fine","tenant_id":"fine"}}}}',
        # Text columns, keyword columns, values that are hard to write.
        f'{{{ts},"err":{{"message":"Nested Text user_id=1","stack_trace":"at a.b(C.java:1)\\n\\tat d"}},"level":"Two Words"}}',
        f'{{{ts},"msg":"tab\\tquote\\"back\\\\slash\\u0000nul\\u0007","level":"\\ud83e\\udd86"}}',
        f'{{{ts},"message":""}}',
        f'{{{ts},"message":"   "}}',
        f'{{{ts},"message":17,"body":{{"text":"deep","n":1}}}}',
        f'  {{ {ts} , "message" : "blanks around" }}  ',
        "{}",
    ]
    return Tenant("Promises", lines)


def plain_lines():
    """Lines that are no JSON objects: `produce` wraps them."""
    return Tenant(
        "plain lines",
        [
            "a plain line",
            "[1,2,3]",
            '"a string"',
            "17",
            '{"broken": ',
            "tab\tand \\ backslash",
            "北京 ende",
            "x" * 5000,
            "",
            " last ",
        ],
        plain=True,
    )


def reserved_name():
    return Tenant("system", [timed(i, "INFO", f"reserved {i}") for i in range(5)])


def longest_name():
    return Tenant("Ä" * 64, [timed(i, "INFO", f"longest {i}") for i in range(5)])
