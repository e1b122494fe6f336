// The query bar: the query with completion of columns and values, the time range, and errors with their place.

import {Component, createRef, h} from './preact.js';
import {beginning, nameOf, quoted, wordAt} from './query.js';
import {count, visible} from './text.js';

const PRESETS = [['now-15m', 'Last 15 minutes'], ['now-1h', 'Last hour'], ['now-24h', 'Last 24 hours'], ['now-7d', 'Last 7 days']];
const ABSOLUTE = 'absolute';
const MAX_OPTIONS = 10;

export class QueryBar extends Component {
  #input = createRef();
  #asked = 0;
  state = {text: this.props.link.query, options: [], active: -1};

  componentDidUpdate(before) {
    if (before.link.query !== this.props.link.query) {
      this.setState({text: this.props.link.query, options: [], active: -1});
    }
  }

  #complete = async () => {
    const {value, selectionStart} = this.#input.current;
    this.setState({text: value});
    const asked = ++this.#asked;
    const word = wordAt(value, selectionStart);
    const options = word ? await this.#optionsFor(word) : [];
    if (asked === this.#asked) {
      this.setState({options, active: -1});
    }
  };

  async #optionsFor({start, column, prefix}) {
    if (column === undefined) {
      return prefix === '' ? [] : this.props.columns
          .filter(({name}) => name.startsWith(prefix.toLowerCase()))
          .slice(0, MAX_OPTIONS)
          .map(({name, type}) => ({start, label: name, hint: type, text: nameOf(name) + ':'}));
    }
    const known = this.props.columns.find(({name}) => name === column.toLowerCase());
    if (!known || known.index === 'text' || ['map', 'timestamp'].includes(known.type)) {
      return [];
    }
    const values = await this.props.valuesOf(known.name, known.type === 'varchar' ? beginning(column, prefix) : '');
    return values
        .filter(({value}) => value?.toLowerCase().startsWith(prefix.toLowerCase()))
        .slice(0, MAX_OPTIONS)
        .map(({value, count: rows}) => ({
          start, label: value, hint: count(rows), text: (/^[\p{L}\p{N}_]+$/u.test(value) ? value : quoted(value)) + ' ',
        }));
  }

  #accept(option) {
    const input = this.#input.current;
    const after = input.value.slice(input.selectionStart).trimStart();
    const head = input.value.slice(0, option.start) + option.text;
    this.#asked++;
    this.setState({text: head + after, options: [], active: -1}, () => {
      input.focus();
      input.setSelectionRange(head.length, head.length);
      if (option.text.endsWith(':')) {
        this.#complete();
      }
    });
  }

  #onKeyDown = event => {
    const {options, active} = this.state;
    const move = {ArrowDown: 1, ArrowUp: -1}[event.key];
    if (move && options.length > 0) {
      event.preventDefault();
      this.setState({active: (active + move + options.length) % options.length});
    } else if (['Enter', 'Tab'].includes(event.key) && options[active]) {
      event.preventDefault();
      this.#accept(options[active]);
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      if (options.length === 0) {
        event.currentTarget.blur();
      }
      this.#close();
    }
  };

  #close = () => {
    this.#asked++;
    this.setState({options: [], active: -1});
  };

  #submit = event => {
    event.preventDefault();
    this.#close();
    this.props.onRun({query: this.state.text.trim()});
  };

  render({link, error, onRun, loading}, {text, options, active}) {
    return h('form', {class: 'bar', role: 'search', onSubmit: this.#submit},
        h('div', {class: 'query'},
            h('input', {
              ref: this.#input, id: 'query', type: 'text', value: text, spellcheck: false, autocomplete: 'off',
              autocapitalize: 'off', 'aria-label': 'Query', placeholder: 'timeout level:error -retry   (press / )',
              role: 'combobox', 'aria-autocomplete': 'list', 'aria-expanded': String(options.length > 0),
              'aria-controls': 'completions', 'aria-activedescendant': options[active] ? 'completion-' + active : undefined,
              'aria-invalid': error?.position === undefined ? undefined : 'true',
              onInput: this.#complete, onKeyDown: this.#onKeyDown, onBlur: this.#close,
            }),
            h('ul', {id: 'completions', role: 'listbox', 'aria-label': 'Completions', hidden: options.length === 0},
                options.map((option, index) => h('li', {
                  id: 'completion-' + index, role: 'option', 'aria-selected': String(index === active),
                  // Before the input loses the focus
                  onMouseDown: event => {
                    event.preventDefault();
                    this.#accept(option);
                  },
                }, h('span', {class: 'isolated'}, visible(option.label)), h('small', {}, option.hint))))),
        h(Range, {link, onRun}),
        h('button', {class: 'main', 'aria-busy': String(loading)}, 'Search'),
        error && h(Problem, {error, query: link.query}));
  }
}

/** The time range: relative, or between two times in UTC. */
function Range({link: {from, to}, onRun}) {
  const isPreset = to === 'now' && PRESETS.some(([value]) => value === from);
  const isRelative = from.startsWith('now') || to.startsWith('now');
  const choose = event => event.target.value === ABSOLUTE
      ? onRun({from: absolute(from), to: absolute(to)})
      : onRun({from: event.target.value, to: 'now'});
  const field = (name, label, value) => h('input', {
    type: 'datetime-local', step: 0.001, value: local(value), 'aria-label': label,
    onChange: event => event.target.value && onRun({[name]: event.target.value + 'Z'}),
  });
  return h('div', {class: 'range'},
      h('select', {id: 'range', 'aria-label': 'Time range', value: isPreset ? from : isRelative ? 'other' : ABSOLUTE, onChange: choose},
          PRESETS.map(([value, label]) => h('option', {value}, label)),
          !isPreset && isRelative && h('option', {value: 'other', disabled: true}, `${from} to ${to}`),
          h('option', {value: ABSOLUTE}, 'From … to …')),
      !isPreset && !isRelative && [field('from', 'From, in UTC', from), field('to', 'To, in UTC', to),
        h('small', {}, 'UTC')]);
}

const UNITS = {s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800};

/** A time in RFC 3339 with whole seconds or milliseconds, which the API and the field both know. */
export function absolute(time) {
  const [, sign, amount, unit] = time.match(/^now(?:([+-])(\d+)([smhdw]))?$/) ?? [];
  if (time.startsWith('now')) {
    const distance = amount ? Number(amount) * UNITS[unit] * 1_000 * (sign === '-' ? -1 : 1) : 0;
    return new Date(Math.floor((Date.now() + distance) / 1_000) * 1_000).toISOString();
  }
  return time;
}

function local(time) {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, -1);
}

function Problem({error, query}) {
  return h('div', {class: 'problem', role: 'alert', id: 'problem'},
      h('p', {}, error.message),
      error.position !== undefined && h('pre', {class: 'place'},
          visible(query.slice(0, error.position)),
          h('mark', {}, visible(query.slice(error.position, error.position + 1) || ' ')),
          visible(query.slice(error.position + 1))),
      error.sql && h('details', {}, h('summary', {}, 'The same question as SQL'), h('pre', {}, visible(error.sql, true))));
}
