// Files of the rows on the page.

const FORMULA = /^[=+\-@\t\r]/;

export function saveNdjson(rows) {
  save('logs.ndjson', 'application/x-ndjson', rows.map(row => row.raw + '\n'));
}

export function saveCsv(rows, columns) {
  const lines = rows.map(row => columns.map(column => cell(row.fields[column])).join(',') + '\r\n');
  save('logs.csv', 'text/csv', [columns.map(cell).join(',') + '\r\n', ...lines]);
}

/** A cell of CSV. A spreadsheet would run what begins like a formula, so it gets an apostrophe. */
function cell(value) {
  if (value === undefined || value === null) {
    return '';
  }
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const safe = typeof value !== 'number' && FORMULA.test(text) ? "'" + text : text;
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? '"' + safe.replaceAll('"', '""') + '"' : safe;
}

function save(name, type, parts) {
  const url = URL.createObjectURL(new Blob(parts, {type}));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun to read it by then
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
