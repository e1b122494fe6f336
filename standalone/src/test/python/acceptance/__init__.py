"""Checks a running stack from outside: what goes in as log lines must come out of every engine, row by row.

Nothing here shares code with the product. Expected results follow the written contract (decoding, names, `match`)
and logblock/SPEC.md (the analyzer) alone.
"""
