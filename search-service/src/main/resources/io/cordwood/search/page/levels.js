// Colours of levels, by the names that loggers use. The colours themselves are in style.css.

const NAMES = [
  ['fatal', /^(fatal|crit|critical|emerg|emergency|alert|panic)$/i],
  ['error', /^(err|error|severe)$/i],
  ['warn', /^(warn|warning)$/i],
  ['info', /^(info|information|notice)$/i],
  ['debug', /^(debug|fine)$/i],
  ['trace', /^(trace|finer|finest|verbose)$/i],
];

/** The class of a level, and its place: the worst is first. */
export function levelOf(value) {
  const place = NAMES.findIndex(([, pattern]) => pattern.test(value ?? ''));
  return place < 0 ? {name: 'other', place: NAMES.length} : {name: NAMES[place][0], place};
}
