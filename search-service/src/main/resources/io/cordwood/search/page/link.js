// The state that a link holds: the fragment of the URL, which browsers never send to a server.

const DEFAULTS = Object.freeze({
  tenant: '', stream: '', query: '', from: 'now-1h', to: 'now', columns: [], facets: [], tab: 'search', wrap: false,
});
const TABS = ['search', 'live'];

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
