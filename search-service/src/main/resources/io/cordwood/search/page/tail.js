// The live tail: new rows as they arrive, with a pause. It keeps the newest rows and tells what was dropped. After a lost
// connection it follows again, and searches for the rows of the time between.

import {parseRow, pause} from './api.js';
import {prepend, rowsOf} from './rows.js';
import {count, rowsText} from './text.js';

/** Most rows on the screen, and most that wait during a pause. */
export const MAX_ROWS = 2_000;
/** Most rows of a lost connection that are searched for. */
const MAX_MISSED = 1_000;
/** Rows may be that much older than their arrival; in milliseconds. */
const SLACK = 10_000;
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 5_000;
/** A connection that is silent for so long is lost; the service sends something each second. */
const SILENCE = 15_000;
const LOOK = 1_000;

export class Tail {
  #stop = new AbortController();
  #onChange;
  #waiting = [];
  /** Cursors of rows that a search found, which may also arrive. */
  #found = new Set();
  #heardAt = Date.now();
  #lostAt = null;
  #state = {
    blocks: [], isPaused: false, waiting: 0, dropped: 0, skipped: 0, trouble: 'Connecting', gap: '', isOpen: true,
  };

  /** @param onChange gets the state of the tail whenever it changes */
  constructor(onChange) {
    this.#onChange = onChange;
  }

  /** Follows until it is stopped, or until the service refuses. */
  async follow(api, target, query) {
    const {signal} = this.#stop;
    let wait = FIRST_PAUSE;
    this.#change({});
    while (!signal.aborted && this.#state.isOpen) {
      const connection = new AbortController();
      this.#heardAt = Date.now();
      const watch = setInterval(() => Date.now() - this.#heardAt > SILENCE && connection.abort(), LOOK);
      try {
        for await (const {name, lines} of api.tail(target, query, AbortSignal.any([signal, connection.signal]))) {
          this.#heardAt = Date.now();
          if (name === 'following') {
            wait = FIRST_PAUSE;
            // Nothing is read meanwhile
            this.#heardAt = Infinity;
            await this.#fillGap(api, target, query);
            this.#heardAt = Date.now();
            this.#change({trouble: ''});
          } else if (name !== 'alive') {
            this.#receive(name, lines);
          }
        }
      } catch (e) {
        const isRefused = e.status && !e.isAway && e.status !== 503;
        if (isRefused && !signal.aborted) {
          this.#change({isOpen: false, trouble: e.message, error: e});
        }
      } finally {
        clearInterval(watch);
      }
      if (!signal.aborted && this.#state.isOpen) {
        this.#lostAt ??= this.#heardAt;
        this.#change({trouble: 'The service does not answer: trying again'});
        await pause(wait, signal);
        wait = Math.min(2 * wait, LONGEST_PAUSE);
      }
    }
  }

  /** Adds the rows that came while there was no connection, as far as their time tells. */
  async #fillGap(api, target, query) {
    if (this.#lostAt === null) {
      return;
    }
    const now = Date.now();
    const from = this.#lostAt - SLACK;
    const time = `No connection from ${clock(this.#lostAt)} to ${clock(now)}`;
    try {
      const body = {query, from: new Date(from).toISOString(), to: new Date(now + SLACK).toISOString(), limit: MAX_MISSED};
      const {rows, after} = await api.rows(target, 'search', body, this.#stop.signal);
      const known = new Set([...rowsOf(this.#state.blocks), ...this.#waiting].map(({cursor}) => cursor));
      const missed = rows.filter(({cursor}) => !known.has(cursor));
      this.#rows([...missed].reverse());
      this.#found = new Set(missed.map(({cursor}) => cursor));
      this.#lostAt = null;
      this.#change({gap: `${time}: ${rowsText(missed.length)} of it added` + (after ? `, more than ${count(MAX_MISSED)} missed` : '')});
    } catch (e) {
      if (e.isAway) {
        throw e;
      }
      this.#lostAt = null;
      this.#change({gap: `${time}: rows may be missed`});
    }
  }

  #receive(name, lines) {
    if (name === 'rows') {
      this.#rows(lines.map(parseRow).filter(({cursor}) => !this.#found.has(cursor)));
      return;
    }
    const {rows, records, message} = JSON.parse(lines.join('\n'));
    switch (name) {
      case 'dropped': return this.#change({dropped: this.#state.dropped + Number(rows)});
      case 'skipped': return this.#change({skipped: this.#state.skipped + Number(records)});
      case 'end': return this.#change({isOpen: false, trouble: message});
      default: return this.#change({trouble: message});
    }
  }

  #rows(arrived) {
    // The newest is first
    const newest = arrived.reverse();
    if (!this.#state.isPaused) {
      this.#change({blocks: prepend(this.#state.blocks, newest.slice(0, MAX_ROWS), MAX_ROWS), trouble: ''});
      return;
    }
    const all = [...newest, ...this.#waiting];
    this.#waiting = all.slice(0, MAX_ROWS);
    this.#change({
      waiting: this.#waiting.length, dropped: this.#state.dropped + all.length - this.#waiting.length, trouble: '',
    });
  }

  pause() {
    this.#change({isPaused: true});
  }

  resume() {
    const blocks = prepend(this.#state.blocks, this.#waiting, MAX_ROWS);
    this.#waiting = [];
    this.#change({isPaused: false, waiting: 0, blocks});
  }

  clear() {
    this.#change({blocks: [], gap: ''});
  }

  stop() {
    this.#stop.abort();
  }

  #change(change) {
    this.#state = {...this.#state, ...change};
    if (!this.#stop.signal.aborted) {
      this.#onChange(this.#state);
    }
  }
}

function clock(millis) {
  return new Date(millis).toISOString().slice(11, 19);
}
