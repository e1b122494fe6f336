// The rows around a row, of all rows or of those that share its value in a column.

import {Component, h} from './preact.js';
import {Dialog} from './dialog.js';
import {facetColumns} from './facets.js';
import {append, Rows} from './rows.js';
import {rowsText} from './text.js';

const STEP = 25;

export class Context extends Component {
  state = {same: '', before: STEP, after: STEP, blocks: [], expanded: new Set(), error: ''};
  #asked = new AbortController();

  componentDidMount() {
    this.#load({});
  }

  componentWillUnmount() {
    this.#asked.abort();
  }

  async #load(change) {
    const {same, before, after} = {...this.state, ...change};
    this.#asked.abort();
    this.#asked = new AbortController();
    const {signal} = this.#asked;
    this.setState(change);
    try {
      const body = {row: this.props.row.cursor, before, after, ...(same ? {same: [same]} : {})};
      const {rows} = await this.props.api.rows(this.props.target, 'context', body, signal);
      const place = rows.findIndex(({cursor}) => cursor === this.props.row.cursor);
      this.setState({blocks: append([], rows), earlier: place, later: rows.length - 1 - place, error: ''}, () => {
        if (Object.keys(change).length === 0) {
          this.base.querySelector('.marked')?.scrollIntoView({block: 'center'});
        }
      });
    } catch (e) {
      if (e.name !== 'AbortError') {
        this.setState({error: e.message});
      }
    }
  }

  #actions = {
    select() {},
    toggle: cursor => this.setState(({expanded}) => {
      const next = new Set(expanded);
      return {expanded: next.delete(cursor) ? next : next.add(cursor)};
    }),
  };

  render({row, columns, shownColumns, wrap, onClose}, {same, before, after, blocks, expanded, error, earlier, later}) {
    const candidates = facetColumns(columns).filter(name => row.fields[name] !== undefined);
    return h(Dialog, {title: 'Rows around the row', id: 'context', class: 'wide', onClose},
        h('div', {class: 'line'},
            candidates.length > 0 && h('label', {}, 'Rows ', h('select', {value: same, onChange: event => this.#load({same: event.target.value})},
                h('option', {value: ''}, 'of all'),
                candidates.map(name => h('option', {value: name}, `with the same ${name}`)))),
            h('button', {disabled: earlier < before, onClick: () => this.#load({before: before + STEP})}, `${STEP} earlier`),
            h('button', {disabled: later < after, onClick: () => this.#load({after: after + STEP})}, `${STEP} later`),
            h('span', {class: 'note', role: 'status'}, blocks.length > 0 && `${rowsText(earlier)} before, ${rowsText(later)} after`)),
        error && h('p', {class: 'problem', role: 'alert'}, error),
        h('div', {class: 'scroll'},
            h(Rows, {blocks, columns: shownColumns, wrap, label: 'Rows in order', actions: this.#actions, expanded, marked: row.cursor})));
  }
}
