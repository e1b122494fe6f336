"""Tries one tool on a lake: superset JOB-FILE [PICTURES], or dbt JOB-FILE. Ends with 1 if anything is wrong."""

import signal
import sys

from bi import with_dbt, with_superset

_TOOLS = {"superset": with_superset.check, "dbt": with_dbt.check}

if __name__ == "__main__":
    # Whoever ends it early wants what it started ended too
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    _TOOLS[sys.argv[1]](*sys.argv[2:])
