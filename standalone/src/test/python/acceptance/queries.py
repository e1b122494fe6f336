"""Chooses `match` queries from a tenant's values: rare and frequent, the same for the same data."""

import random
import re
from collections import Counter

from acceptance.analyzer import tokens

TOKENS, PHRASES, PREFIXES = 20, 5, 5
_COMPOUND = re.compile(r'[^\s()"*]+')


def choose(texts, seed):
    """Queries by kind. `texts` are the values that are not null."""
    chooser = random.Random(seed)
    token_lists = [tokens(text) for text in texts]
    frequency = Counter(token for found in token_lists for token in set(found))
    if not frequency:
        return {}
    ordered = sorted(frequency, key=lambda token: (-frequency[token], token))
    chosen = _tokens(ordered, frequency, chooser)
    long_lists = [found for found in token_lists if len(found) >= 2]
    return {
        "token": [_disguised(token, chooser) for token in chosen],
        "phrase": _phrases(long_lists, chooser),
        "prefix": _prefixes(ordered, chooser),
        "compound": _compounds(texts, chooser),
        "boolean": _booleans(chosen, chooser),
    }


def _tokens(ordered, frequency, chooser):
    """Frequent ones, rare ones, of each script some, and one that does not stand there."""
    chosen = dict.fromkeys(ordered[:6])
    chosen.update(dict.fromkeys(t for t in chooser.sample(ordered, len(ordered)) if not t.isascii()))
    chosen = dict.fromkeys(list(chosen)[:11])
    rare = [token for token in ordered if frequency[token] == 1]
    chosen.update(dict.fromkeys(chooser.sample(rare, min(4, len(rare)))))
    longest = max(ordered, key=lambda token: (len(token), token))
    chosen[longest] = None
    rest = [token for token in ordered if token not in chosen]
    chosen.update(dict.fromkeys(chooser.sample(rest, min(TOKENS - 1 - len(chosen), len(rest)))))
    return list(chosen) + ["nowhere" + ordered[0]]


def _disguised(token, chooser):
    """In upper case now and then, where that is the same token."""
    capital = token.upper()
    return (
        capital
        if chooser.random() < 0.4 and capital not in ("OR", "NOT", "AND") and tokens(capital) == [token]
        else token
    )


def _phrases(token_lists, chooser):
    phrases = []
    for i in range(PHRASES):
        if not token_lists:
            break
        found = chooser.choice(token_lists)
        start = chooser.randrange(len(found) - 1)
        words = found[start : start + 2 + i % 3]
        if i == 3:
            words = words[::-1]
        phrases.append('"' + " ".join(words) + '"')
        if i == 4 and len(words[-1]) > 1:
            phrases[-1] = '"' + " ".join(words[:-1]) + " " + words[-1][:-1] + '*"'
    return phrases


def _prefixes(ordered, chooser):
    prefixes = []
    for length in range(1, PREFIXES + 1):
        candidates = sorted({token[:length] for token in ordered if len(token) >= length})
        if candidates:
            prefixes.append(chooser.choice(candidates) + "*")
    return prefixes


def _compounds(texts, chooser):
    """Terms as they stand in the text that the analyzer cuts into several tokens."""
    found = []
    for text in chooser.sample(texts, min(300, len(texts))):
        words = [w for w in _COMPOUND.findall(text) if len(tokens(w)) > 1 and "'" not in w]
        if words:
            found.append(chooser.choice(words))
        if len(found) == 3:
            break
    return found


def _booleans(chosen, chooser):
    one, two, three = (chooser.choice(chosen) for _ in range(3))
    return [f"{one} {two}", f"{one} OR {two}", f"{one} NOT {two}", f"({one} OR {two}) NOT {three}", f"NOT {one}"]
