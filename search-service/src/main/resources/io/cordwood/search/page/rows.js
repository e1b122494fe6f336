// Rows, in blocks: a block that is far from the screen is an empty box of its height, so many rows do not slow the page.

import {Component, h} from './preact.js';
import {levelOf} from './levels.js';
import {MAX_VALUE} from './query.js';
import {count, cut, textOf, visible} from './text.js';

const BLOCK = 100;
/** Pixels of a row, as long as nobody has measured it. */
const ROW_HEIGHT = 23;
const MAX_CELL = 2_000;
const MAX_FIELD = 10_000;
let lastBlock = 0;

function block(rows) {
  return {id: ++lastBlock, rows};
}

/** The blocks with rows behind the last. */
export function append(blocks, rows) {
  const added = [];
  for (let from = 0; from < rows.length; from += BLOCK) {
    added.push(block(rows.slice(from, from + BLOCK)));
  }
  return [...blocks, ...added];
}

/** The blocks with rows before the first; at most some `limit` rows stay. */
export function prepend(blocks, rows, limit) {
  const [first, ...others] = blocks;
  const next = first && first.rows.length + rows.length <= BLOCK
      ? [{id: first.id, rows: [...rows, ...first.rows]}, ...others]
      : [...append([], rows), ...blocks];
  let kept = 0;
  return next.filter(({rows: held}) => (kept += held.length) <= limit + BLOCK);
}

export function rowsOf(blocks) {
  return blocks.flatMap(({rows}) => rows);
}

const near = new IntersectionObserver(entries => entries.forEach(entry => {
  const isNear = entry.isIntersecting;
  entry.target.shownBlock?.setState(isNear ? {isNear} : {isNear, height: entry.boundingClientRect.height});
}), {rootMargin: '1500px'});

export function Rows({blocks, columns, wrap, label, selected, actions, expanded, marked}) {
  const widths = columns.map(column => ({ts: '14.5em', level: '4.5em'})[column.name]
      ?? (column.index === 'text' || column.type === 'map' ? 'minmax(12em, 6fr)' : 'minmax(5em, 1fr)'));
  const entry = selected ?? blocks[0]?.rows[0]?.cursor;
  return h('div', {class: 'rows' + (wrap ? ' wrap' : ''), role: 'treegrid', 'aria-label': label, style: {'--columns': widths.join(' ')}},
      h('div', {role: 'rowgroup'}, h('div', {class: 'row head', role: 'row'},
          columns.map(({name}) => h('span', {role: 'columnheader'}, name === 'ts' ? 'time (UTC)' : name)))),
      blocks.map(({id, rows}, index) => h(Block, {
        key: id, isFirst: index === 0, rows, columns, actions, expanded, marked,
        selected: holds(rows, selected), entry: holds(rows, entry),
      })));
}

/** The cursor, if one of the rows has it. */
function holds(rows, cursor) {
  return cursor !== undefined && rows.some(row => row.cursor === cursor) ? cursor : undefined;
}

class Block extends Component {
  // Only the first is drawn at once, so that its rows are there soon
  state = {isNear: this.props.isFirst, height: this.props.rows.length * ROW_HEIGHT};

  componentDidMount() {
    this.base.shownBlock = this;
    near.observe(this.base);
  }

  componentWillUnmount() {
    near.unobserve(this.base);
    this.base.shownBlock = undefined;
  }

  shouldComponentUpdate(props, state) {
    return state !== this.state || Object.keys(props).some(name => name !== 'isFirst' && props[name] !== this.props[name]);
  }

  render({rows, columns, actions, expanded, selected, marked, entry}, {isNear, height}) {
    const isDrawn = isNear || selected !== undefined;
    return h('div', {class: 'block', role: 'rowgroup', style: {height: isDrawn ? '' : height + 'px'}},
        isDrawn && rows.map(row => h(Row, {
          key: row.cursor, row, columns, actions, isExpanded: expanded.has(row.cursor),
          isSelected: row.cursor === selected, isMarked: row.cursor === marked, isEntry: row.cursor === entry,
        })));
  }
}

function Row({row, columns, actions, isExpanded, isSelected, isMarked, isEntry}) {
  const level = row.fields.level === undefined ? '' : ' level-' + levelOf(row.fields.level).name;
  return h('div', {class: 'item' + (isExpanded ? ' open' : ''), role: 'presentation'},
      h('div', {
        id: 'row-' + row.cursor, role: 'row', class: 'row' + level + (isSelected ? ' selected' : '') + (isMarked ? ' marked' : ''),
        // One row is in the order of Tab, j and k go on from there
        tabIndex: isEntry ? 0 : -1, 'aria-expanded': String(isExpanded), 'aria-level': 1,
        onClick: () => String(getSelection()) === '' && actions.toggle(row.cursor),
        onFocus: () => actions.select(row.cursor),
      }, columns.map(column => h('span', {role: 'gridcell', class: 'cell ' + kind(column)}, shown(column, row.fields[column.name])))),
      isExpanded && h(Details, {row, actions}));
}

function kind({name, index, type}) {
  if (name === 'ts' || name === 'level') {
    return name;
  }
  return index === 'text' || type === 'map' ? 'text' : 'plain';
}

function shown({name}, value) {
  const text = textOf(value);
  if (name === 'ts') {
    return text.replace('T', ' ').replace(/(\.\d{3})\d*Z$/, '$1');
  }
  return [...visible(cut(text, MAX_CELL)), text.length > MAX_CELL && ' …'];
}

/** All fields of a row. */
class Details extends Component {
  state = {showsRaw: false};

  render({row, actions}, {showsRaw}) {
    const {attributes, ...columns} = row.fields;
    const fields = [...Object.entries(columns), ...Object.entries(attributes ?? {}).map(([key, value]) => ['attributes.' + key, value])];
    return h('div', {class: 'details', role: 'row', 'aria-level': 2}, h('div', {role: 'gridcell'},
        h('div', {class: 'line'},
            actions.context && h('button', {onClick: () => actions.context(row)}, 'Context'),
            h('button', {'aria-pressed': String(showsRaw), onClick: () => this.setState({showsRaw: !showsRaw})}, 'Raw JSON')),
        showsRaw
          ? h(LongText, {class: 'raw', text: row.raw})
          : h('dl', {}, fields.map(([name, value]) => h(Field, {key: name, name, value, actions})))));
  }
}

function Field({name, value, actions}) {
  const text = textOf(value);
  const canFilter = actions.filter && name !== 'ts' && value !== null && text !== '' && text.length <= MAX_VALUE;
  return h('div', {class: 'field'},
      h('dt', {class: 'isolated'}, visible(name)),
      h('dd', {},
          canFilter && h('span', {class: 'choices'},
              h('button', {class: 'quiet', 'aria-label': `Only rows with this ${name}`, title: 'Only rows with this value', onClick: () => actions.filter(name, value, false)}, '+'),
              h('button', {class: 'quiet', 'aria-label': `Exclude this ${name}`, title: 'Exclude this value', onClick: () => actions.filter(name, value, true)}, '−')),
          h(LongText, {text})));
}

/** Text, cut until the user wants all of it. */
class LongText extends Component {
  state = {showsAll: false};

  render({text, class: name = ''}, {showsAll}) {
    const isCut = !showsAll && text.length > MAX_FIELD;
    return h('div', {class: 'long ' + name},
        h('pre', {}, visible(isCut ? cut(text, MAX_FIELD) : text, true)),
        isCut && h('button', {onClick: () => this.setState({showsAll: true})}, `Show all ${count(text.length)} characters`));
  }
}
