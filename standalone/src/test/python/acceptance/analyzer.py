"""The analyzer of text columns, as logblock/SPEC.md states it, on Unicode 16.0 as the `regex` package knows it."""

import unicodedata

import regex

LONGEST_TOKEN = 256

_TOKENS = regex.compile(r"(?V1)\p{Script=Han}|[[\p{L}\p{M}\p{Nd}]--\p{Script=Han}]+")

# Simple lower-case mappings that Python's tables lack before Unicode 16, or give as more than one code point.
_LOWER = {0x0130: "i", 0xA7CB: "\u0264", 0xA7CC: "\ua7cd", 0xA7DA: "\ua7db", 0xA7DC: "\u019b"}
_LOWER.update({capital: chr(capital + 0x20) for capital in range(0x10D50, 0x10D66)})


def lower(text):
    """Lower-cases code point by code point."""
    if text.isascii():
        return text.lower()
    return "".join(_LOWER.get(ord(c)) or c.lower() for c in text)


def tokens(text):
    """The tokens of a value, in order."""
    return [lower(token[:LONGEST_TOKEN]) for token in _TOKENS.findall(text)]


def differences_from_table(path):
    """How the project's own Unicode table differs from what is used here: a list of lines, empty if it does not."""
    token_characters, han, mappings = set(), set(), {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            words = line.split("#")[0].split()
            if not words or words[0] not in ("T", "H", "L"):
                continue
            start, end = int(words[1], 16), int(words[2], 16)
            if words[0] == "L":
                delta, step = int(words[3]), int(words[4])
                mappings.update({c: c + delta for c in range(start, end + 1, step)})
            else:
                (token_characters if words[0] == "T" else han).update(range(start, end + 1))
    everything = "".join(chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000)
    found = [
        f"U+{c:04X}: {what} here or there, not in both"
        for what, pattern, table in (
            ("a token character", r"[\p{L}\p{M}\p{Nd}]", token_characters),
            ("Han", r"\p{Script=Han}", han),
        )
        for c in sorted(table ^ {ord(character) for character in regex.findall(pattern, everything)})
    ]
    cased = {ord(character) for character in everything if character.lower() != character}
    for c in sorted(cased | set(mappings) | set(_LOWER)):
        character = chr(c)
        expected = chr(mappings.get(c, c))
        if lower(character) != expected and (c in _LOWER or unicodedata.category(character) != "Cn"):
            found.append(f"U+{c:04X}: lower case U+{ord(lower(character)[0]):04X}, in the table U+{ord(expected):04X}")
    return found
