// The state that a link holds: the fragment of the URL, which browsers never send to a server.

const DEFAULTS = Object.freeze({
  tenant: '', stream: '', query: '', from: 'now-1h', to: 'now', columns: [], facets: [], tab: 'search', wrap: false,
});
const TABS = ['search', 'patterns', 'live'];

/** Parses a fragment. What is absent or unknown has its default. */
export function parseLink(fragment) {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''));
  const text = name => fields.get(name) ?? DEFAULTS[name];
  return {
    tenant: text('tenant'),
    stream: text('stream'),
    query: text('query'),
    from: text('from'),
    to: text('to'),
    columns: fields.getAll('column'),
    facets: fields.getAll('facet'),
    tab: TABS.includes(fields.get('tab')) ? fields.get('tab') : DEFAULTS.tab,
    wrap: fields.get('wrap') === 'true',
  };
}

/** The fragment of a state, without what has its default. */
export function formatLink(link) {
  const fields = new URLSearchParams();
  for (const name of ['tenant', 'stream', 'query', 'from', 'to', 'tab', 'wrap']) {
    if (link[name] !== DEFAULTS[name]) {
      fields.set(name, link[name]);
    }
  }
  link.columns.forEach(column => fields.append('column', column));
  link.facets.forEach(column => fields.append('facet', column));
  return '#' + fields;
}

/** Whether both states show the same rows. */
export function asksTheSame(one, other) {
  return ['tenant', 'stream', 'query', 'from', 'to'].every(name => one[name] === other[name]);
}

const UNIT_MILLIS = {s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000};

/** A time that counts from now, as it was at a moment in milliseconds; other times as they are. */
export function absolute(time, moment) {
  const [isRelative, sign, count, unit] = time.match(/^now(?:([+-])(\d+)([smhdw]))?$/) ?? [];
  if (!isRelative) {
    return time;
  }
  const distance = unit ? count * UNIT_MILLIS[unit] : 0;
  return new Date(sign === '-' ? moment - distance : moment + distance).toISOString();
}
