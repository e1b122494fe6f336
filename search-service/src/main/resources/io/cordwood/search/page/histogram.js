// Rows over time: one bar a bucket, stacked by level. A drag over bars, or Enter on one, narrows the time range.

import {Component, createRef, h} from './preact.js';
import {levelOf} from './levels.js';
import {count, rowsText, visible} from './text.js';

const HEIGHT = 100;

/** The bars of an answer: {start, end, total, parts: [{value, level, count}]}, the worst level first. */
export function bars(histogram) {
  return histogram.buckets.map(bucket => {
    const start = Date.parse(bucket.start);
    const parts = bucket.counts
        .filter(part => part.count > 0)
        .map(part => ({value: part.value, count: part.count, level: levelOf(part.value)}))
        .sort((a, b) => a.level.place - b.level.place || b.count - a.count);
    if (bucket.other) {
      parts.push({value: 'others', count: bucket.other, level: levelOf('')});
    }
    const total = parts.reduce((sum, part) => sum + part.count, 0);
    return {start, end: start + histogram.interval_ms, total, parts};
  });
}

function clock(millis, interval) {
  const text = new Date(millis).toISOString();
  if (interval >= 86_400_000) {
    return text.slice(0, 10);
  }
  return interval >= 60_000 ? text.slice(5, 16).replace('T', ' ') : text.slice(11, interval < 1_000 ? 23 : 19);
}

export class Histogram extends Component {
  #svg = createRef();
  state = {first: -1, last: -1, dragging: false};

  shouldComponentUpdate(props, state) {
    return props.histogram !== this.props.histogram || state !== this.state;
  }

  #indexAt(event) {
    const box = this.#svg.current.getBoundingClientRect();
    const length = this.props.histogram.buckets.length;
    return Math.max(0, Math.min(length - 1, Math.floor((event.clientX - box.left) / box.width * length)));
  }

  #zoom() {
    const {first, last} = this.state;
    const all = bars(this.props.histogram);
    if (first >= 0) {
      this.props.onZoom(all[Math.min(first, last)].start, all[Math.max(first, last)].end);
    }
    this.setState({first: -1, last: -1, dragging: false});
  }

  #onKeyDown = event => {
    const move = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    const length = this.props.histogram.buckets.length;
    if (move) {
      event.preventDefault();
      const last = this.state.last < 0 && move < 0 ? length - 1 : Math.max(0, Math.min(length - 1, this.state.last + move));
      this.setState({first: event.shiftKey && this.state.first >= 0 ? this.state.first : last, last});
    } else if (event.key === 'Enter' && this.state.first >= 0) {
      this.#zoom();
    }
  };

  render({histogram}, {first, last}) {
    const all = bars(histogram);
    const highest = Math.max(1, ...all.map(bar => bar.total));
    const interval = histogram.interval_ms;
    const text = bar => `${clock(bar.start, interval)} to ${clock(bar.end, interval)}: ${rowsText(bar.total)}`
        + bar.parts.filter(part => part.value !== null).map(part => `, ${count(part.count)} ${part.value}`).join('');
    const low = Math.min(first, last);
    const high = Math.max(first, last);
    return h('figure', {class: 'histogram', 'aria-label': 'Rows over time'},
        h('div', {class: 'chart'},
            h('span', {class: 'highest', 'aria-hidden': 'true'}, all.length > 0 && count(highest)),
            h('svg', {
              ref: this.#svg, viewBox: `0 0 ${Math.max(1, all.length)} ${HEIGHT}`, preserveAspectRatio: 'none', tabindex: 0,
              role: 'group', 'aria-label': 'Bars: arrows choose, Enter narrows the time range',
              onKeyDown: this.#onKeyDown,
              onPointerDown: event => {
                const index = this.#indexAt(event);
                event.currentTarget.setPointerCapture(event.pointerId);
                this.setState({first: index, last: index, dragging: true});
              },
              onPointerMove: event => this.state.dragging && this.setState({last: this.#indexAt(event)}),
              onPointerUp: () => this.state.dragging && this.#zoom(),
              onPointerCancel: () => this.setState({first: -1, last: -1, dragging: false}),
            },
            all.map((bar, index) => h('g', {class: 'bucket', role: 'img', 'aria-label': text(bar)},
                h('title', {}, text(bar)),
                h('rect', {class: 'ground', x: index, y: 0, width: 1, height: HEIGHT}),
                stacked(bar, index, highest))),
            first >= 0 && h('rect', {class: 'selection', x: low, y: 0, width: high - low + 1, height: HEIGHT}))),
        h('div', {class: 'axis', 'aria-hidden': 'true'}, ticks(all, interval)),
        h('figcaption', {'aria-live': 'polite'},
            first >= 0 && all[low]
              ? h('span', {}, low === high ? text(all[low]) : `${clock(all[low].start, interval)} to ${clock(all[high].end, interval)}`)
              : legend(all)));
  }
}

function stacked(bar, index, highest) {
  let top = HEIGHT;
  return bar.parts.map(part => {
    const height = part.count / highest * (HEIGHT - 4);
    top -= height;
    return h('rect', {class: 'level-' + part.level.name, x: index + 0.08, y: top, width: 0.84, height});
  });
}

function ticks(all, interval) {
  const steps = Math.min(6, all.length);
  return Array.from({length: steps}, (_, step) =>
      h('span', {}, clock(all[Math.floor(step * all.length / steps)].start, interval)));
}

function legend(all) {
  const totals = new Map();
  all.flatMap(bar => bar.parts).filter(part => part.value !== null).forEach(part => {
    const known = totals.get(part.value) ?? {...part, count: 0};
    totals.set(part.value, {...known, count: known.count + part.count});
  });
  return [...totals.values()]
      .sort((a, b) => a.level.place - b.level.place || b.count - a.count)
      .map(part => h('span', {class: 'legend'},
          h('i', {class: 'swatch level-' + part.level.name}), visible(String(part.value)), ' ', h('b', {}, count(part.count))));
}
