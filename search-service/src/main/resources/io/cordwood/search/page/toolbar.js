// The bar above the rows: search or live, the columns, wrapping, and what can be taken along.

import {h} from './preact.js';

export function Toolbar({link, columns, shownColumns, onChange, onSql, onNdjson, onCsv, onCopyLink}) {
  const isLive = link.tab === 'live';
  const hasRows = link.tab !== 'patterns';
  const tab = (name, text) => h('button', {
    role: 'tab', id: 'tab-' + name, 'aria-selected': String(link.tab === name), onClick: () => onChange({tab: name}),
  }, text);
  return h('div', {class: 'toolbar'},
      h('div', {class: 'tabs', role: 'tablist', 'aria-label': 'Rows'}, tab('search', 'Search'), tab('patterns', 'Patterns'), tab('live', 'Live tail')),
      h('span', {class: 'space'}),
      hasRows && h(Columns, {columns, shownColumns, onChange}),
      hasRows && h('button', {'aria-pressed': String(link.wrap), onClick: () => onChange({wrap: !link.wrap})}, 'Wrap'),
      hasRows && !isLive && h('button', {onClick: onSql}, 'SQL'),
      hasRows && h('button', {onClick: onNdjson, title: 'Save the rows on the page as ndjson'}, 'ndjson'),
      hasRows && h('button', {onClick: onCsv, title: 'Save the columns on the page as CSV'}, 'CSV'),
      h('button', {onClick: onCopyLink, title: 'Copy the link to what is shown'}, 'Link'));
}

/** The choice of columns; the time is always shown. */
function Columns({columns, shownColumns, onChange}) {
  const shown = shownColumns.map(({name}) => name).filter(name => name !== 'ts');
  const toggle = name => onChange({columns: shown.includes(name) ? shown.filter(one => one !== name) : [...shown, name]});
  return h('details', {
    class: 'menu',
    onFocusOut: event => {
      if (!event.currentTarget.contains(event.relatedTarget)) {
        event.currentTarget.open = false;
      }
    },
    onKeyDown: event => {
      if (event.key === 'Escape') {
        event.stopPropagation();
        event.currentTarget.open = false;
        event.currentTarget.querySelector('summary').focus();
      }
    },
  },
  h('summary', {}, 'Columns'),
  h('div', {class: 'choices', tabIndex: -1}, columns.filter(({name}) => name !== 'ts' && name !== 'tenant_id').map(({name}) =>
    h('label', {key: name}, h('input', {type: 'checkbox', checked: shown.includes(name), onChange: () => toggle(name)}), ' ', name)),
  h('button', {class: 'quiet', onClick: () => onChange({columns: []})}, 'Default columns')));
}
