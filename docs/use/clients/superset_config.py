# Add this to the superset_config.py of Apache Superset. Ran with Superset 6.1.
from sqlglot.dialects import Trino


class CordwoodTrino(Trino):
    """Trino's SQL without MATCH .. AGAINST of MySQL, for which Superset takes match(column, query) otherwise."""

    class Parser(Trino.Parser):
        FUNCTION_PARSERS = {name: parser for name, parser in Trino.Parser.FUNCTION_PARSERS.items() if name != "MATCH"}


SQLGLOT_DIALECTS_EXTENSIONS = {"trino": CordwoodTrino}

# Superset's own time grains round times to milliseconds: the last row of a minute may count in the next one, and
# Cordwood does not recognise a histogram.
_UNITS = {
    "PT1S": "second",
    "PT1M": "minute",
    "PT1H": "hour",
    "P1D": "day",
    "P1W": "week",
    "P1M": "month",
    "P3M": "quarter",
    "P1Y": "year",
}
_INTERVALS = {
    "PT5S": "'5' SECOND",
    "PT30S": "'30' SECOND",
    "PT5M": "'5' MINUTE",
    "PT10M": "'10' MINUTE",
    "PT15M": "'15' MINUTE",
    "PT30M": "'30' MINUTE",
    "PT6H": "'6' HOUR",
}
TIME_GRAIN_ADDON_EXPRESSIONS = {
    "trino": {
        **{grain: f"date_trunc('{unit}', {{col}})" for grain, unit in _UNITS.items()},
        **{grain: f"date_bin(INTERVAL {interval}, {{col}})" for grain, interval in _INTERVALS.items()},
    }
}
