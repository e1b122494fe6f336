"""The table of checks."""

import sys

_LONGEST = 60


class Report:
    """Collects checks and prints those that differ at once. Not thread-safe.

    `stage` says what has happened to the tables since they were shipped; it stands beside the tenant.
    """

    def __init__(self):
        self.checks = []
        self.stage = None

    def check(self, tenant, check, expected, actual):
        tenant = self._at_stage(tenant)
        equal = expected == actual
        self.checks.append((tenant, check, _short(expected), _short(actual), equal))
        if not equal:
            print(f"DIFFERENT {tenant} | {check}\n  expected {_long(expected)}\n  actual   {_long(actual)}", flush=True)
        return equal

    def failed(self, tenant, check, error):
        tenant = self._at_stage(tenant)
        self.checks.append((tenant, check, "", _short(str(error)), False))
        print(f"FAILED {tenant} | {check}\n  {error}", flush=True)

    def _at_stage(self, tenant):
        return f"{tenant}, {self.stage}" if self.stage else tenant

    @property
    def failures(self):
        return sum(not check[-1] for check in self.checks)

    def print(self, out=sys.stdout):
        """One line a check; checks of one kind that hold ("token: a", "token: b") are one line for each tenant."""
        lines = [("tenant", "check", "expected", "actual", "")]
        groups = {}
        for tenant, check, expected, actual, equal in self.checks:
            kind = check.split(":")[0]
            if equal and kind != check:
                group = groups.setdefault((tenant, kind), [0, len(lines)])
                group[0] += 1
                line = (tenant, f"{kind} ({group[0]} checks)", "", "", "ok")
                lines[group[1] : group[1] + 1] = [line]
            else:
                lines.append((tenant, check, expected, actual, "ok" if equal else "DIFFERENT"))
        widths = [max(len(line[column]) for line in lines) for column in range(5)]
        for line in lines:
            print("  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip(), file=out)
        print(f"{len(self.checks)} checks, {self.failures} different", file=out)
        # Repeated at the end, for readers who see only the end.
        for tenant, check, expected, actual, equal in self.checks:
            if not equal:
                print(f"DIFFERENT {tenant} | {check}: expected {expected}, actual {actual}", file=out)


def _short(value):
    text = " ".join(str(value).split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _long(value):
    text = repr(value)
    return text if len(text) <= 2_000 else text[:2_000] + "…"
