// The most frequent values of columns. A click selects the rows with a value, another button excludes them.

import {h} from './preact.js';
import {hasTerm, term} from './query.js';
import {count, cut, visible} from './text.js';

const MAX_TEXT = 200;

/** The columns that may have a facet: those whose values repeat. */
export function facetColumns(columns) {
  return columns
      .filter(({name, type, index}) =>
        !['ts', 'tenant_id'].includes(name) && index !== 'text' && !['map', 'timestamp', 'double'].includes(type))
      .map(({name}) => name)
      .sort((a, b) => (b === 'level') - (a === 'level'));
}

export function Facets({shown, possible, values, query, onToggle, onChoose}) {
  const others = possible.filter(name => !shown.includes(name));
  return h('aside', {class: 'facets', 'aria-label': 'Most frequent values'},
      shown.map(column => h('section', {key: column},
          h('h3', {}, h('span', {}, column),
              h('button', {class: 'quiet', 'aria-label': `Hide ${column}`, onClick: () => onChoose(shown.filter(name => name !== column))}, '✕')),
          h(Values, {column, answer: values[column], query, onToggle}))),
      others.length > 0 && h('select', {
        'aria-label': 'Add a column', value: '',
        onChange: event => event.target.value && onChoose([...shown, event.target.value]),
      }, h('option', {value: ''}, 'Add a column …'), others.map(name => h('option', {value: name}, name))));
}

function Values({column, answer, query, onToggle}) {
  if (!answer) {
    return h('p', {class: 'note'}, '…');
  }
  if (answer.error) {
    return h('p', {class: 'note'}, answer.error);
  }
  const values = answer.values.filter(({value}) => value !== null);
  if (values.length === 0) {
    return h('p', {class: 'note'}, 'No values');
  }
  const highest = Math.max(...values.map(value => value.count));
  const more = answer.distinct - values.length;
  return h('div', {},
      h('ul', {}, values.map(({value, count: rows}) => {
        const wanted = term(column, value);
        const unwanted = term(column, value, true);
        return h('li', {key: value, class: hasTerm(query, unwanted) ? 'excluded' : ''},
            h('button', {
              class: 'value', 'aria-pressed': String(hasTerm(query, wanted)), title: 'Only rows with this value',
              onClick: () => onToggle(wanted),
            },
            h('i', {class: 'share', style: {width: rows / highest * 100 + '%'}}),
            h('span', {class: 'isolated'}, visible(cut(value, MAX_TEXT))),
            h('b', {}, (answer.approximate ? '~' : '') + count(rows))),
            h('button', {
              class: 'quiet', 'aria-pressed': String(hasTerm(query, unwanted)), 'aria-label': `Exclude ${value}`,
              title: 'Exclude this value', onClick: () => onToggle(unwanted),
            }, '−'));
      })),
      more > 0 && h('p', {class: 'note'}, `${answer.approximate ? 'about ' : ''}${count(more)} more`));
}
