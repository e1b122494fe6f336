"""Names as the contract and the format write them."""

import base64
import hashlib
import re

RESERVED_TENANTS = ("all_tenants", "system", "information_schema")
_PLAIN = re.compile(rb"[a-z0-9_-]")
LONGEST_SCHEMA = 200


def schema_name(tenant):
    """A tenant's schema, or None where the contract leaves open which bytes are written as hexadecimals."""
    if tenant in RESERVED_TENANTS:
        return None
    name = "".join(chr(byte) if _PLAIN.match(bytes([byte])) else f"~{byte:02x}" for byte in tenant.encode())
    if len(name) <= LONGEST_SCHEMA:
        return name
    return "~~" + base64.b32encode(hashlib.sha256(tenant.encode()).digest()).decode().rstrip("=").lower()


def parquet_name(column):
    """A column's name in Parquet files: what is no letter, digit or _ is written as _x and its UTF-16 code."""
    written = ""
    for i, c in enumerate(column):
        if c == "_" or (ord(c) < 0x10000 and (c.isalpha() or (i > 0 and c.isdecimal()))):
            written += c
        elif c.isdecimal():
            written += "_" + c
        else:
            units = c.encode("utf-16-be")
            written += "".join(f"_x{int.from_bytes(units[j : j + 2], 'big'):X}" for j in range(0, len(units), 2))
    return written


def quoted(name):
    """An identifier for SQL."""
    return '"' + name.replace('"', '""') + '"'


def literal(text):
    """A string for SQL."""
    return "'" + text.replace("'", "''") + "'"
