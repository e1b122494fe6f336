// The live tail: new rows as they arrive, with a pause. It keeps the newest rows and tells what was dropped.

import {parseRow} from './api.js';
import {prepend} from './rows.js';

/** Most rows on the screen, and most that wait during a pause. */
export const MAX_ROWS = 2_000;

export class Tail {
  #stop = new AbortController();
  #onChange;
  #waiting = [];
  #state = {blocks: [], isPaused: false, waiting: 0, dropped: 0, skipped: 0, trouble: '', isOpen: false};

  /** @param onChange gets the state of the tail whenever it changes */
  constructor(onChange) {
    this.#onChange = onChange;
  }

  async follow(api, target, query) {
    const {signal} = this.#stop;
    try {
      this.#change({isOpen: true, trouble: ''});
      for await (const {name, lines} of api.tail(target, query, signal)) {
        this.#receive(name, lines);
      }
      this.#change({isOpen: false, trouble: this.#state.trouble || 'The service has ended the tail'});
    } catch (e) {
      if (!signal.aborted) {
        const trouble = e.status ? e.message : 'The connection to the service is lost';
        this.#change({isOpen: false, trouble, error: e.status ? e : undefined});
      }
    }
  }

  #receive(name, lines) {
    if (name === 'rows') {
      this.#rows(lines.map(parseRow));
      return;
    }
    const {rows, records, message} = JSON.parse(lines.join('\n'));
    switch (name) {
      case 'dropped': return this.#change({dropped: this.#state.dropped + Number(rows)});
      case 'skipped': return this.#change({skipped: this.#state.skipped + Number(records)});
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
    this.#change({blocks: []});
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
