// The patterns of the rows: lines that are the same but for their parameters. A click selects the rows of one.

import {h} from './preact.js';
import {MAX_VALUE, term, withTerm} from './query.js';
import {count, rowsText, visible} from './text.js';

const PLACEHOLDER = /<(?:num|hex|uuid|ip|time|\*|\.\.\.)>/g;
const MAX_TERMS = 8;

/** The query for the rows of a pattern: its words, without those that touch a parameter. */
export function withPattern(query, column, pattern) {
  const phrases = [];
  let phrase = [];
  const end = () => {
    const text = phrase.join(' ');
    if (/[\p{L}\p{N}]/u.test(text) && text.length <= MAX_VALUE) {
      phrases.push(text);
    }
    phrase = [];
  };
  for (const word of pattern.split(' ')) {
    if (word.search(PLACEHOLDER) >= 0) {
      end();
    } else {
      phrase.push(word);
    }
  }
  end();
  return phrases.slice(0, MAX_TERMS).reduce((all, one) => withTerm(all, term(column, one)), query);
}

/** How the number of rows differs from that of the time before. */
export function trend({count: rows, before}) {
  if (before === undefined) {
    return '';
  }
  if (before === 0) {
    return 'new';
  }
  const percent = Math.round((rows - before) / before * 100);
  return (percent > 0 ? '+' : percent < 0 ? '−' : '±') + count(Math.abs(percent)) + ' %';
}

export function Patterns({answer, onFilter}) {
  const {patterns, other, without_text: withoutText, approximate} = answer;
  const highest = Math.max(1, ...patterns.map(pattern => pattern.count));
  return h('div', {class: 'patterns', role: 'table', 'aria-label': `Patterns of ${answer.column}`},
      h('div', {class: 'row head', role: 'row'},
          ['rows', 'trend', 'pattern'].map(name => h('span', {role: 'columnheader'}, name))),
      patterns.map(pattern => h('div', {key: pattern.pattern, class: 'row', role: 'row'},
          h('span', {class: 'number', role: 'cell'},
              h('i', {class: 'share', style: {width: pattern.count / highest * 100 + '%'}}), h('b', {}, count(pattern.count))),
          h('span', {
            class: 'number' + (pattern.before === 0 ? ' new' : ''), role: 'cell',
            title: pattern.before === undefined ? '' : `${rowsText(pattern.before)} in the time before`,
          }, trend(pattern)),
          h('span', {role: 'cell'}, h('button', {
            class: 'pattern isolated', title: 'Only rows with these words. For example: ' + pattern.sample.text,
            onClick: () => onFilter(pattern.pattern),
          }, pattern.pattern === '' ? h('i', {}, 'no text') : template(pattern.pattern))))),
      h('p', {class: 'note'}, [
        other.count > 0 && `${rowsText(other.count)} of other patterns`,
        withoutText.count > 0 && `${rowsText(withoutText.count)} without ${answer.column}`,
        approximate && 'rare patterns may be among the others',
      ].filter(Boolean).join(', ')));
}

function template(pattern) {
  const parts = [];
  let end = 0;
  for (const match of pattern.matchAll(PLACEHOLDER)) {
    parts.push(visible(pattern.slice(end, match.index)), h('em', {}, match[0]));
    end = match.index + match[0].length;
  }
  return [...parts, visible(pattern.slice(end))];
}
