// The HTTP API of the search service. The token of the user is in memory only.

/** An error that the service or the network tells. */
export class ApiError extends Error {
  constructor(message, details = {}) {
    super(message);
    this.status = details.status;
    this.position = details.position;
    this.sql = details.sql;
    /** Whether nobody answers for now: the same request may succeed later. */
    this.isAway = details.isAway ?? false;
  }
}

export class Api {
  #token = '';
  #asking = null;
  #askForToken;

  /** @param askForToken gives a promise of a token; its argument says why the service wants one */
  constructor(askForToken) {
    this.#askForToken = askForToken;
  }

  tenants() {
    return this.#json('/api/v1/tenants');
  }

  columns(target) {
    return this.#json(path(target, 'columns'));
  }

  /** Asks what has one JSON object as answer. */
  ask(target, operation, body, signal) {
    return this.#json(path(target, operation), post(body, signal));
  }

  /** Asks for rows: {rows, after, stats}; `after` is absent on the last page. */
  async rows(target, operation, body, signal) {
    const response = await this.#send(path(target, operation), post(body, signal));
    const lines = (await textOf(response)).split('\n').filter(line => line !== '');
    const end = lines.length > 0 ? JSON.parse(lines.at(-1)) : {};
    if (!end.stats) {
      throw new ApiError('The answer broke off: try again, or ask for less');
    }
    return {rows: lines.slice(0, -1).map(parseRow), after: end.after, stats: end.stats};
  }

  /** Whether the service answers. */
  async isUp(signal) {
    try {
      await this.#json('/health', {signal});
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Follows new rows, and yields events {name, lines}; the first, once it follows, is `following`. Whatever else comes
   * is `alive`: the service sends something each second.
   */
  async * tail(target, query, signal) {
    const response = await this.#send(path(target, 'tail') + '?' + new URLSearchParams({query}), {signal});
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let name = '';
    let data = [];
    let pieces = [];
    yield {name: 'following', lines: []};
    for (;;) {
      const {done, value} = await reader.read();
      if (done) {
        return;
      }
      yield {name: 'alive', lines: []};
      const lines = value.split('\n');
      lines[0] = pieces.join('') + lines[0];
      // The last line is not yet complete
      pieces = [lines.pop()];
      for (const line of lines) {
        if (line.startsWith('event: ')) {
          name = line.slice('event: '.length);
        } else if (line.startsWith('data: ')) {
          data.push(line.slice('data: '.length));
        } else if (line === '' && name !== '') {
          yield {name, lines: data};
          name = '';
          data = [];
        }
      }
    }
  }

  async #json(url, options) {
    return JSON.parse(await textOf(await this.#send(url, options)));
  }

  async #send(url, options = {}) {
    for (;;) {
      const used = this.#token;
      const headers = {...options.headers, ...(used ? {Authorization: 'Bearer ' + used} : {})};
      let response;
      try {
        response = await fetch(url, {...options, headers, credentials: 'omit', cache: 'no-store'});
      } catch (e) {
        throw e.name === 'AbortError' ? e : new ApiError('The service does not answer', {isAway: true});
      }
      if (response.ok) {
        return response;
      }
      const error = await errorOf(response);
      if (response.status !== 401) {
        throw error;
      }
      if (used === this.#token) {
        await this.#renewToken(used ? error.message : '');
      }
    }
  }

  /** Asks the user once, however many requests were refused. */
  async #renewToken(reason) {
    this.#asking ??= this.#askForToken(reason);
    try {
      this.#token = await this.#asking;
    } finally {
      this.#asking = null;
    }
  }
}

function path({tenant, stream}, operation) {
  return `/api/v1/tenants/${encodeURIComponent(tenant)}/streams/${encodeURIComponent(stream)}/${operation}`;
}

function post(body, signal) {
  return {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body), signal};
}

async function textOf(response) {
  try {
    return await response.text();
  } catch (e) {
    throw e.name === 'AbortError' ? e : new ApiError('The answer broke off: try again, or ask for less');
  }
}

async function errorOf(response) {
  try {
    const {error} = await response.json();
    return new ApiError(error.message, {...error, status: response.status});
  } catch {
    // A proxy answers for the service; 504 is a question that takes too long for it
    const isAway = [502, 503].includes(response.status);
    return new ApiError(`The service answers with status ${response.status}`, {status: response.status, isAway});
  }
}

/** Waits before the next attempt, or until the signal aborts. */
export function pause(millis, signal) {
  return new Promise(done => {
    const timer = setTimeout(done, millis);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      done();
    }, {once: true});
  });
}

/** Parses a row: {cursor, raw, fields}. Integers that JavaScript would round stay text. */
export function parseRow(line) {
  const fields = /\d{16}/.test(line) ? JSON.parse(line, exact) : JSON.parse(line);
  const cursor = fields._cursor;
  delete fields._cursor;
  return {cursor, raw: line.replace(/,?"_cursor":"[^"]*"\}$/, '}'), fields};
}

function exact(key, value, context) {
  const isRounded = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
  return isRounded && context ? context.source : value;
}
