"""`match(column, query)` as the contract states it: terms ANDed, OR, NOT, parentheses, phrases, prefixes."""

import re

from acceptance.analyzer import lower, tokens

_LEXEMES = re.compile(r'\s*(?:(\()|(\))|"([^"]*)"|([^\s()"]+))')


def compile_text(query):
    """A predicate over the token list of a text column's value."""
    return _parse(query, _text_term)


def compile_keyword(query):
    """A predicate over a keyword column's value."""
    return _parse(query, _keyword_term)


def _parse(query, term):
    lexemes, position = [], 0
    text = query.rstrip()
    while position < len(text):
        found = _LEXEMES.match(text, position)
        if not found:
            raise ValueError(f"malformed query at {position}: {query}")
        kind = found.lastindex
        word = found.group(kind)
        lexemes.append(
            word if kind == 4 and word in ("OR", "NOT") else "(" if kind == 1 else ")" if kind == 2 else (word,)
        )
        position = found.end()

    def either():
        options = [both()]
        while lexemes and lexemes[0] == "OR":
            lexemes.pop(0)
            options.append(both())
        return options[0] if len(options) == 1 else lambda value: any(option(value) for option in options)

    def both():
        parts = [single()]
        while lexemes and lexemes[0] not in ("OR", ")"):
            parts.append(single())
        return parts[0] if len(parts) == 1 else lambda value: all(part(value) for part in parts)

    def single():
        lexeme = lexemes.pop(0)
        if lexeme == "NOT":
            negated = single()
            return lambda value: not negated(value)
        if lexeme == "(":
            inner = either()
            if lexemes.pop(0) != ")":
                raise ValueError(f"no closing parenthesis: {query}")
            return inner
        return term(lexeme[0])

    return either()


def _text_term(text):
    is_prefix = text.endswith("*")
    terms = tokens(text)
    if not terms:
        raise ValueError(f"no token in {text}")
    last, count = terms[-1], len(terms)
    if count == 1:
        return (lambda value: any(t.startswith(last) for t in value)) if is_prefix else (lambda value: last in value)
    if is_prefix:
        head = terms[:-1]
        return lambda value: any(
            value[i : i + count - 1] == head and value[i + count - 1].startswith(last)
            for i in range(len(value) - count + 1)
        )
    return lambda value: any(value[i : i + count] == terms for i in range(len(value) - count + 1))


def _keyword_term(text):
    if text.endswith("*"):
        prefix = lower(text[:-1])
        return lambda value: lower(value).startswith(prefix)
    whole = lower(text)
    return lambda value: lower(value) == whole
