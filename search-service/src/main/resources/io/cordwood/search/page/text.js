// Log text on the screen: nothing in it is markup, and no character in it can hide or reorder another.

import {h} from './preact.js';

const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu;
const MAX_MARKS = 1_000;
const numbers = new Intl.NumberFormat('en');

/** The value of a column as text. */
export function textOf(value) {
  if (value === undefined || value === null) {
    return '';
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/**
 * Text with symbols for control characters, marks of direction and others that cannot be seen.
 *
 * @param keepLines whether line ends and tabs stay what they are
 */
export function visible(text, keepLines = false) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (keepLines && (match[0] === '\n' || match[0] === '\t')) {
      continue;
    }
    if (parts.length > 2 * MAX_MARKS) {
      // One element for each would be slow
      return [...parts, text.slice(end).replace(HIDDEN, symbol)];
    }
    parts.push(text.slice(end, match.index), h('span', {class: 'mark', title: codePoint(match[0])}, symbol(match[0])));
    end = match.index + match[0].length;
  }
  return [...parts, text.slice(end)];
}

function symbol(character) {
  const code = character.codePointAt(0);
  if (code < 0x20) {
    return String.fromCharCode(0x2400 + code);
  }
  return code === 0x7f ? '\u2421' : codePoint(character);
}

function codePoint(character) {
  return 'U+' + character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0');
}

/** The beginning of a text, which does not end within a character. */
export function cut(text, length) {
  if (text.length <= length) {
    return text;
  }
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length);
}

export function count(number) {
  return numbers.format(number);
}

/** "1 row", "2 rows". */
export function rowsText(number) {
  return `${count(number)} ${number === 1 ? 'row' : 'rows'}`;
}
