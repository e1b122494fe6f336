// Edits queries in the language of the search bar.

const PLAIN_NAME = /^[\p{L}_][\p{L}\p{N}_.-]*$/u;
const OPERATORS = ['AND', 'OR', 'NOT'];

/** Longest value that a term may hold; a whole query may have 10,000 characters. */
export const MAX_VALUE = 1_000;

export function quoted(text) {
  return '"' + text.replace(/[\\"]/g, '\\$&') + '"';
}

export function nameOf(column) {
  return PLAIN_NAME.test(column) && !OPERATORS.includes(column) ? column : quoted(column);
}

/** The term that selects, or excludes, the rows with a value. */
export function term(column, value, excluded = false) {
  return (excluded ? '-' : '') + nameOf(column) + ':' + quoted(String(value));
}

/** Whether a query has a term that stands by itself. */
export function hasTerm(query, wanted) {
  return ` ${query} `.includes(` ${wanted} `);
}

export function withoutTerm(query, unwanted) {
  return ` ${query} `.replace(` ${unwanted} `, () => ' ').trim();
}

/** The query and the term; the term's opposite is removed. */
export function withTerm(query, wanted) {
  const opposite = wanted.startsWith('-') ? wanted.slice(1) : '-' + wanted;
  const rest = withoutTerm(query.trim(), opposite);
  if (rest === '' || hasTerm(rest, wanted)) {
    return rest || wanted;
  }
  return (/\sOR\s/.test(withoutQuotes(rest)) ? `(${rest})` : rest) + ' ' + wanted;
}

function withoutQuotes(query) {
  return query.replace(/"(?:[^"\\]|\\.)*"/g, '""').replace(/\([^()]*\)/g, '()');
}

/** The word that ends at the caret: {start, column?, prefix}; none in a quoted text. */
export function wordAt(query, caret) {
  const before = query.slice(0, caret);
  if ((before.match(/(?<!\\)"/g)?.length ?? 0) % 2 === 1) {
    return null;
  }
  const word = before.match(/[^\s()"]*$/)[0].replace(/^-/, '');
  const start = caret - word.length;
  const colon = word.indexOf(':');
  return colon < 0
      ? {start, prefix: word}
      : {start: start + colon + 1, column: word.slice(0, colon), prefix: word.slice(colon + 1)};
}

/** A word as the beginning of values. */
export function beginning(column, prefix) {
  return prefix === '' ? '' : nameOf(column) + ':' + prefix.replace(/[^\p{L}\p{N}]/gu, '\\$&') + '*';
}
