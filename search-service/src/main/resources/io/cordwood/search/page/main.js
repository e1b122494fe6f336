// The page: it holds the state, asks the service, and hands both to the parts.

import {Component, h, render} from './preact.js';
import {Api, pause} from './api.js';
import {Context} from './context.js';
import {Dialog, TokenDialog} from './dialog.js';
import {saveCsv, saveNdjson} from './export.js';
import {facetColumns, Facets} from './facets.js';
import {Histogram} from './histogram.js';
import {absolute, asksTheSame, formatLink, parseLink} from './link.js';
import {hasTerm, term, withoutTerm, withTerm} from './query.js';
import {Patterns, withPattern} from './patterns.js';
import {QueryBar} from './querybar.js';
import {append, Rows, rowsOf} from './rows.js';
import {Tail} from './tail.js';
import {count, rowsText, visible} from './text.js';
import {applyTheme, switchTheme} from './theme.js';
import {Toolbar} from './toolbar.js';

const PAGE = 500;
const FACETS = 4;
const FACET_VALUES = 8;
const BUCKETS = 72;
const PATTERNS = 200;
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 15_000;
const NO_ANSWER = {blocks: [], after: undefined, patterns: null, histogram: null, values: {}, error: null, stats: null};

class App extends Component {
  #api = new Api(reason => new Promise((resolve, reject) => this.setState({token: {reason, resolve, reject}})));
  #running = new AbortController();
  #begun = Date.now();
  #tail = null;
  /** The pause before the next attempt while the service is away. */
  #wait = FIRST_PAUSE;
  state = {
    link: parseLink(location.hash), tenants: [], columns: [], ...NO_ANSWER, loading: false, expanded: new Set(),
    selected: undefined, tail: null, dialog: null, context: null, token: null, notice: '', isAway: false,
  };

  componentDidMount() {
    addEventListener('popstate', () => this.#go(parseLink(location.hash)));
    document.addEventListener('keydown', this.#onKey);
    this.#start();
  }

  #start = async () => {
    const {signal} = this.#running;
    try {
      const {tenants} = await this.#api.tenants();
      const {link} = this.state;
      const tenant = link.tenant || (tenants.find(one => one.streams.length > 0)?.tenant ?? '');
      const stream = link.stream || (tenants.find(one => one.tenant === tenant)?.streams[0] ?? '');
      this.setState({tenants, isAway: false});
      await this.#go({...link, tenant, stream});
      history.replaceState(null, '', formatLink(this.state.link));
    } catch (e) {
      this.#fail(e, signal, this.#start);
    }
  };

  /** Changes the state that the link holds, and asks anew if it asks for other rows. */
  #change = change => {
    const before = this.state.link;
    const link = {...before, ...change};
    if (link.tenant !== before.tenant) {
      const streams = this.state.tenants.find(one => one.tenant === link.tenant)?.streams ?? [];
      link.stream = streams.includes(link.stream) ? link.stream : streams[0] ?? '';
    }
    const fragment = formatLink(link);
    if (fragment !== location.hash) {
      history.pushState(null, '', fragment);
    }
    const isShownOnly = asksTheSame(link, before) && link.tab === before.tab && !('query' in change || 'from' in change);
    if (isShownOnly) {
      this.setState({link}, () => 'facets' in change && this.#loadFacets(this.#running.signal));
    } else {
      this.#go(link);
    }
  };

  /** Shows what a link says. */
  async #go(link) {
    this.#running.abort();
    this.#running = new AbortController();
    this.#begun = Date.now();
    const {signal} = this.#running;
    const before = this.state.link;
    this.#tail?.stop();
    this.#tail = null;
    const isOther = link.tenant !== before.tenant || link.stream !== before.stream;
    this.setState({link, loading: true, notice: '', tail: null, context: null, ...(isOther ? {...NO_ANSWER, columns: []} : {})});
    if (!link.tenant || !link.stream) {
      this.setState({loading: false});
      // The tenants could not be read before
      return this.state.isAway ? this.#start() : undefined;
    }
    try {
      const {columns} = await this.#api.columns(link);
      if (!signal.aborted) {
        await new Promise(done => this.setState({columns, isAway: false}, done));
        await (link.tab === 'live' ? this.#follow() : this.#search(signal));
      }
    } catch (e) {
      this.#fail(e, signal);
    } finally {
      if (!signal.aborted) {
        this.setState({loading: false});
      }
    }
  }

  #again = () => this.state.tenants.length > 0 ? this.#go(this.state.link) : this.#start();

  #fail(error, signal, retry = this.#again) {
    if (signal.aborted || error.name === 'AbortError') {
      return;
    }
    // A service that is just back may miss what it is built on
    if (error.isAway || (error.status === 503 && this.state.isAway)) {
      this.#retryOnceUp(signal, retry);
    } else {
      this.setState({...NO_ANSWER, error, isAway: false});
    }
  }

  /** Keeps what is shown while the service is away, and goes on once it is back. */
  async #retryOnceUp(signal, retry) {
    this.setState({isAway: true, loading: false});
    while (!signal.aborted) {
      await pause(this.#wait, signal);
      this.#wait = Math.min(2 * this.#wait, LONGEST_PAUSE);
      if (await this.#api.isUp(signal) && !signal.aborted) {
        retry();
        return;
      }
    }
  }

  /** What all requests of one search share: relative times count from its beginning, also for its later pages. */
  #condition() {
    const {query, from, to} = this.state.link;
    return {query, from: absolute(from, this.#begun), to: absolute(to, this.#begun)};
  }

  async #search(signal) {
    const {link, columns} = this.state;
    const by = columns.some(({name}) => name === 'level') ? {by: 'level'} : {};
    // It may fail by itself, as when it exceeds a bound; what the rows fail with is told once
    const histogram = this.#api.ask(link, 'histogram', {...this.#condition(), buckets: BUCKETS, ...by}, signal)
        .then(answer => ({histogram: answer}), e => ({histogram: null, notice: e.message}));
    const found = await (link.tab === 'patterns' ? this.#findPatterns(signal) : this.#findRows(signal));
    if (!signal.aborted) {
      this.#wait = FIRST_PAUSE;
      this.setState({...found, error: null, expanded: new Set(), selected: undefined});
      const showHistogram = async () => {
        const change = await histogram;
        return signal.aborted || this.setState(change);
      };
      await Promise.all([showHistogram(), this.#loadFacets(signal)]);
    }
  }

  async #findRows(signal) {
    const body = {...this.#condition(), limit: PAGE};
    const {rows, after, stats} = await this.#api.rows(this.state.link, 'search', body, signal);
    return {blocks: append([], rows), after, patterns: null, stats};
  }

  async #findPatterns(signal) {
    const patterns = await this.#api.ask(this.state.link, 'patterns', {...this.#condition(), limit: PATTERNS}, signal);
    return {blocks: [], after: undefined, patterns, stats: patterns.stats};
  }

  #loadOlder = async () => {
    const {signal} = this.#running;
    this.setState({loading: true});
    try {
      const body = {...this.#condition(), limit: PAGE, after: this.state.after};
      const {rows, after} = await this.#api.rows(this.state.link, 'search', body, signal);
      if (!signal.aborted) {
        this.setState(({blocks}) => ({blocks: append(blocks, rows), after}));
      }
    } catch (e) {
      if (!signal.aborted) {
        this.setState({notice: e.message});
      }
    } finally {
      if (!signal.aborted) {
        this.setState({loading: false});
      }
    }
  };

  #facets() {
    const possible = facetColumns(this.state.columns);
    const chosen = this.state.link.facets.filter(name => possible.includes(name));
    return {possible, shown: chosen.length > 0 ? chosen : possible.slice(0, FACETS)};
  }

  async #loadFacets(signal) {
    await Promise.all(this.#facets().shown.map(async column => {
      const answer = await this.#values(column, this.#condition(), FACET_VALUES, signal).catch(e => ({error: e.message}));
      if (!signal.aborted) {
        this.setState(({values}) => ({values: {...values, [column]: answer}}));
      }
    }));
  }

  #values(column, condition, limit, signal) {
    return this.#api.ask(this.state.link, 'values', {...condition, column, limit}, signal);
  }

  /** Values for completion: none if the service cannot say. */
  #valuesOf = async (column, query) => {
    const {from, to} = this.state.link;
    try {
      return (await this.#values(column, {query, from, to}, 50)).values;
    } catch {
      return [];
    }
  };

  #follow = () => {
    this.#tail?.stop();
    this.#tail = new Tail(tail => this.setState({tail, error: tail.error ?? null}));
    this.#tail.follow(this.#api, this.state.link, this.state.link.query);
  };

  #toggleTerm = wanted => {
    const {query} = this.state.link;
    this.#change({query: hasTerm(query, wanted) ? withoutTerm(query, wanted) : withTerm(query, wanted)});
  };

  #actions = {
    select: cursor => cursor !== this.state.selected && this.setState({selected: cursor}),
    toggle: cursor => this.setState(({expanded}) => {
      const next = new Set(expanded);
      return {expanded: next.delete(cursor) ? next : next.add(cursor)};
    }),
    filter: (column, value, excluded) =>
      this.#change({query: withTerm(this.state.link.query, term(column, value, excluded))}),
    context: row => this.setState({context: row}),
  };

  #onKey = event => {
    const {target, key} = event;
    const isTyping = target.matches('input, select, textarea');
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) {
      return;
    }
    if (key === '/' && !isTyping) {
      event.preventDefault();
      document.getElementById('query').focus();
    } else if ((key === 'j' || key === 'k') && !isTyping) {
      this.#move(key === 'j' ? 1 : -1);
    } else if (key === 'Enter' && target.matches('.row')) {
      this.#actions.toggle(this.state.selected);
    } else if (key === 'Escape' && this.state.expanded.has(this.state.selected)) {
      this.#actions.toggle(this.state.selected);
    } else if (key === '?' && !isTyping) {
      this.setState({dialog: 'keys'});
    }
  };

  #move(step) {
    const rows = rowsOf(this.#blocks());
    const at = rows.findIndex(({cursor}) => cursor === this.state.selected);
    const next = rows[at < 0 ? 0 : Math.max(0, Math.min(rows.length - 1, at + step))];
    if (next) {
      this.setState({selected: next.cursor}, () => {
        const row = document.getElementById('row-' + next.cursor);
        row?.focus({preventScroll: true});
        row?.scrollIntoView({block: 'nearest'});
      });
    }
  }

  #blocks() {
    return this.state.link.tab === 'live' ? this.state.tail?.blocks ?? [] : this.state.blocks;
  }

  #showSql = async () => {
    this.setState({dialog: 'sql', sql: null});
    try {
      const sql = await this.#api.ask(this.state.link, 'explain', {...this.#condition(), limit: PAGE});
      this.setState({sql});
    } catch (e) {
      this.setState({sql: {sql: e.sql ?? '', error: e.message}});
    }
  };

  #copy = async text => {
    try {
      await navigator.clipboard.writeText(text);
      this.setState({notice: 'Copied'});
    } catch {
      this.setState({notice: 'The browser does not let the page copy'});
    }
  };

  /** The columns in the table: those chosen, or the time, the level, a place and the text. */
  #shownColumns() {
    const {columns, link} = this.state;
    const named = name => columns.find(column => column.name === name);
    const chosen = link.columns.map(named).filter(Boolean);
    if (chosen.length > 0) {
      return [named('ts'), ...chosen].filter(Boolean);
    }
    const texts = columns.filter(({index}) => index === 'text');
    const place = ['service', 'app', 'host', 'pod'].map(named).find(Boolean);
    return [named('ts'), named('level'), place, ...(texts.length > 0 ? texts : [named('attributes')])].filter(Boolean);
  }

  #summary() {
    const {histogram, blocks, after, patterns, error} = this.state;
    const shown = blocks.reduce((sum, {rows}) => sum + rows.length, 0);
    if (error) {
      return '';
    }
    if (patterns) {
      const known = patterns.patterns.length + patterns.other.patterns;
      return `${rowsText(patterns.count)}, ${count(known)} ${known === 1 ? 'pattern' : 'patterns'}`;
    }
    const total = histogram?.buckets.reduce((sum, {counts, other = 0}) =>
        sum + other + counts.reduce((part, one) => part + one.count, 0), 0);
    return after === undefined || total === undefined ? rowsText(shown) + (after ? ' and more' : '')
        : `${rowsText(total)}, the newest ${count(shown)} shown`;
  }

  render(_, state) {
    const {link, tenants, columns, histogram, error, loading, tail, stats} = state;
    const {possible, shown} = this.#facets();
    const shownColumns = this.#shownColumns();
    const isLive = link.tab === 'live';
    const blocks = this.#blocks();
    return h('div', {class: 'page'},
        h('header', {class: 'top'},
            h('h1', {}, 'Cordwood'),
            h(Choice, {label: 'Tenant', value: link.tenant, values: tenants.map(one => one.tenant), onChange: tenant => this.#change({tenant})}),
            h(Choice, {
              label: 'Stream', value: link.stream, values: tenants.find(one => one.tenant === link.tenant)?.streams ?? [],
              onChange: stream => this.#change({stream}),
            }),
            h('span', {class: 'space'}),
            h('button', {class: 'quiet', onClick: () => this.setState({dialog: 'keys'}), 'aria-label': 'Keys'}, '?'),
            h('button', {class: 'quiet', onClick: switchTheme, 'aria-label': 'Dark or light', title: 'Dark or light'}, '◐')),
        h(QueryBar, {link, columns, error, loading, onRun: this.#change, valuesOf: this.#valuesOf}),
        h('div', {role: 'status', id: 'away'}, state.isAway && h('p', {class: 'problem'},
            'The service does not answer. The page tries again, and shows until then what it has.')),
        h('main', {},
            !isLive && histogram && h(Histogram, {
              histogram, onZoom: (from, to) => this.#change({from: new Date(from).toISOString(), to: new Date(to).toISOString()}),
            }),
            h('div', {class: 'columns' + (isLive || error ? ' single' : '')},
                !isLive && !error && columns.length > 0 && h(Facets, {
                  shown, possible, values: state.values, query: link.query, onToggle: this.#toggleTerm,
                  onChoose: facets => this.#change({facets}),
                }),
                h('section', {class: 'results', 'aria-label': 'Rows', 'aria-busy': String(loading)},
                    h(Toolbar, {
                      link, columns, shownColumns, onChange: this.#change, onSql: this.#showSql,
                      onNdjson: () => saveNdjson(rowsOf(blocks)),
                      onCsv: () => saveCsv(rowsOf(blocks), shownColumns.map(({name}) => name)),
                      onCopyLink: () => this.#copy(location.href),
                    }),
                    h('p', {class: 'status', role: 'status', id: 'count'}, isLive ? '' : loading && blocks.length === 0 ? 'Searching …' : this.#summary(),
                        !isLive && stats && !error && h('small', {}, `${(stats.elapsed_us / 1_000).toFixed(1)} ms`),
                        state.notice && h('small', {}, state.notice)),
                    isLive && tail && h(TailBar, {tail, control: this.#tail, onFollow: this.#follow}),
                    state.patterns?.patterns.length > 0 && !error && link.tab === 'patterns'
                      ? h(Patterns, {
                        answer: state.patterns,
                        onFilter: pattern => this.#change({
                          tab: 'search', query: withPattern(link.query, state.patterns.column, pattern),
                        }),
                      })
                      : blocks.length > 0
                      ? h(Rows, {
                        blocks, columns: shownColumns, wrap: link.wrap, label: isLive ? 'New rows' : 'Rows, newest first',
                        selected: state.selected, expanded: state.expanded, actions: this.#actions,
                      })
                      : h('p', {class: 'empty'}, this.#emptyText()),
                    !isLive && state.after && h('button', {class: 'more', disabled: loading, onClick: this.#loadOlder}, 'Load older')))),
        state.context && h(Context, {
          key: state.context.cursor, row: state.context, api: this.#api, target: link, columns, shownColumns, wrap: link.wrap,
          onClose: () => this.setState({context: null}),
        }),
        state.dialog === 'sql' && h(Sql, {answer: state.sql, onCopy: this.#copy, onClose: () => this.setState({dialog: null})}),
        state.dialog === 'keys' && h(Keys, {onClose: () => this.setState({dialog: null})}),
        state.token && h(TokenDialog, {
          reason: state.token.reason,
          onToken: token => this.setState({token: null}, () => state.token.resolve(token)),
          onClose: () => this.state.token === state.token
            && this.setState({token: null}, () => state.token.reject(new Error('The service wants a token: load the page again'))),
        }));
  }

  #emptyText() {
    const {link, tenants, loading, error} = this.state;
    if (error || loading) {
      return '';
    }
    if (!link.tenant) {
      return tenants.length === 0 ? 'There are no tenants that you may read.' : 'Choose a tenant.';
    }
    return link.tab === 'live' ? 'Waiting for new rows …' : 'No rows match in this time range.';
  }
}

function Choice({label, value, values, onChange}) {
  const all = values.includes(value) || value === '' ? values : [value, ...values];
  return h('label', {}, label + ' ', h('select', {value, onChange: event => onChange(event.target.value)},
      all.map(one => h('option', {value: one}, one))));
}

function TailBar({tail, control, onFollow}) {
  const facts = [
    tail.waiting > 0 && `${rowsText(tail.waiting)} wait`,
    tail.dropped > 0 && `${rowsText(tail.dropped)} dropped`,
    tail.skipped > 0 && `${count(tail.skipped)} records removed unread`,
    tail.gap,
  ].filter(Boolean);
  return h('div', {class: 'line tail'},
      tail.isOpen
        ? h('button', {'aria-pressed': String(tail.isPaused), onClick: () => tail.isPaused ? control.resume() : control.pause()}, tail.isPaused ? 'Go on' : 'Pause')
        : h('button', {onClick: onFollow}, 'Follow again'),
      h('button', {onClick: () => control.clear()}, 'Clear'),
      h('span', {role: 'status', id: 'tail-state'},
          h('i', {class: 'dot' + (tail.isOpen && !tail.isPaused && !tail.trouble ? ' on' : '')}),
          [tail.trouble || (tail.isPaused ? 'Paused' : 'Following'), ...facts].join(', ')));
}

function Sql({answer, onCopy, onClose}) {
  return h(Dialog, {title: 'As SQL', id: 'sql', class: 'wide', onClose},
      !answer ? h('p', {class: 'note'}, '…') : [
        answer.error && h('p', {class: 'problem', role: 'alert'}, answer.error),
        answer.sql && h('pre', {class: 'raw'}, visible(answer.sql, true)),
        answer.sql && h('div', {class: 'line'}, h('button', {onClick: () => onCopy(answer.sql)}, 'Copy')),
        answer.stats && h('dl', {class: 'facts'}, Object.entries(answer.stats).map(([name, value]) =>
          h('div', {}, h('dt', {}, name.replaceAll('_', ' ')), h('dd', {}, count(value))))),
      ]);
}

const KEYS = [['/', 'To the query'], ['Enter', 'Run the query; open or close a row'], ['j, k', 'Next or previous row'],
  ['Esc', 'Close a row, a list or a dialog'], ['← →', 'Choose a bar of the histogram; Enter narrows the time range'], ['?', 'This list']];

function Keys({onClose}) {
  return h(Dialog, {title: 'Keys', id: 'keys', onClose},
      h('dl', {class: 'keys'}, KEYS.map(([key, text]) => h('div', {}, h('dt', {}, h('kbd', {}, key)), h('dd', {}, text)))));
}

applyTheme();
render(h(App), document.getElementById('app'));
