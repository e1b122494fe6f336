"""Helpers of the notebooks: the stack's addresses, SQL as DataFrames, a common style of plots."""

import json
import os
from pathlib import Path
from urllib.parse import urlparse

import matplotlib.pyplot as plt
import pandas as pd
import requests
import trino


class NoStack(Exception):
    """No stack is running."""


COLOURS = {"DEBUG": "#c7c7c7", "INFO": "#4c78a8", "WARN": "#f58518", "ERROR": "#e45756"}

plt.rcParams.update(
    {
        "figure.figsize": (9, 3.2),
        "figure.dpi": 72,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "axes.axisbelow": True,
        "grid.alpha": 0.3,
        "legend.frameon": False,
    }
)
pd.set_option("display.max_colwidth", 110)


def endpoints():
    """Addresses of the stack with home $CORDWOOD_HOME, else .cordwood beside bin/."""
    root = Path(__file__).resolve().parent.parent
    home = Path(os.environ.get("CORDWOOD_HOME") or root / ".cordwood")
    try:
        return json.loads((home / "endpoints.json").read_text())
    except FileNotFoundError:
        raise NoStack(
            f"no stack is ready in {home}: start one with bin/cordwood up --detach, or set CORDWOOD_HOME to its home"
        ) from None


def connect(**session):
    """A connection of Trino's Python client to the catalog cordwood, with session properties (hot_tail="off")."""
    address = urlparse(endpoints()["trino"])
    return trino.dbapi.connect(
        host=address.hostname,
        port=address.port,
        user="analyst",
        catalog="cordwood",
        timezone="UTC",
        session_properties={f"cordwood.{name}": value for name, value in session.items()},
    )


def query(sql, *parameters, **session):
    """The answer as a DataFrame. Each ? in the statement is a parameter; session properties go by name."""
    with connect(**session) as connection:
        cursor = connection.cursor()
        cursor.execute(sql, parameters or None)
        rows = cursor.fetchall()
        return pd.DataFrame(rows, columns=[column.name for column in cursor.description])


def balancer(path, body=None):
    """The balancer's JSON response: GET, or POST with a body."""
    url = endpoints()["balancer"] + path
    answer = requests.get(url, timeout=60) if body is None else requests.post(url, json=body, timeout=60)
    answer.raise_for_status()
    return answer.json()
