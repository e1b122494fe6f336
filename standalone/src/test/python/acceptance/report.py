"""The table of checks."""

import sys

_LONGEST = 60


class Report:
    """Collects checks and prints those that differ at once. Not thread-safe."""

    def __init__(self):
        self.checks = []

    def check(self, tenant, check, expected, actual):
        equal = expected == actual
        self.checks.append((tenant, check, _short(expected), _short(actual), equal))
        if not equal:
            print(f"DIFFERENT {tenant} | {check}\n  expected {_long(expected)}\n  actual   {_long(actual)}", flush=True)
        return equal

    def failed(self, tenant, check, error):
        self.checks.append((tenant, check, "", _short(str(error)), False))
        print(f"FAILED {tenant} | {check}\n  {error}", flush=True)

    @property
    def failures(self):
        return sum(not check[-1] for check in self.checks)

    def print(self, out=sys.stdout):
        """One line a check; the many `match` checks of a tenant that hold are one line together."""
        lines = []
        for tenant, check, expected, actual, equal in self.checks:
            kind = check.split(":")[0]
            last = lines[-1] if lines else None
            if equal and ":" in check and last and last[0] == tenant and last[5] == kind:
                last[6] += 1
                last[1:4] = [f"{kind} ({last[6]} checks)", "", ""]
            else:
                lines.append([tenant, check, expected, actual, "ok" if equal else "DIFFERENT", kind if equal and ":" in check else None, 1])
        widths = [max([len(line[i]) for line in lines] + [8]) for i in range(4)]
        for line in [["tenant", "check", "expected", "actual", ""]] + lines:
            print("  ".join(text.ljust(width) for text, width in zip(line, widths)) + "  " + line[4], file=out)
        print(f"{len(self.checks)} checks, {self.failures} different", file=out)


def _short(value):
    text = " ".join(str(value).split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _long(value):
    text = repr(value)
    return text if len(text) <= 2_000 else text[:2_000] + "…"
