/** Points with a name. On logarithmic axes `x` and `y` are above zero. */
export interface ChartSeries {
  readonly name: string;
  readonly points: readonly { readonly x: number; readonly y: number; readonly label?: string }[];
}

export interface ChartOptions {
  readonly title: string;
  readonly xTitle: string;
  readonly yTitle: string;
  readonly series: readonly ChartSeries[];
  /** Connects the points of a series. */
  readonly lines: boolean;
  /** Logarithmic by default. Linear ones begin at zero, and their many points have no marks. */
  readonly axes?: 'linear' | 'logarithmic';
}

const width = 720;
const height = 440;
const margin = { left: 84, right: 150, top: 44, bottom: 62 };

/** The marks distinguish series without colour too. */
const colours = ['#c2185b', '#1565c0', '#64b5f6', '#2e7d32', '#ef6c00', '#ffb74d'];
const marks: readonly ((x: number, y: number) => string)[] = [
  (x, y) => `<circle cx="${x}" cy="${y}" r="5"/>`,
  (x, y) => `<rect x="${x - 4}" y="${y - 4}" width="8" height="8"/>`,
  (x, y) => `<path d="M${x} ${y - 5}l5 9h-10z"/>`,
  (x, y) => `<path d="M${x} ${y - 6}l6 6l-6 6l-6 -6z"/>`,
];

/** A chart as an SVG text: axes with a grid, names at the last points. */
export function chart({ title, xTitle, yTitle, series, lines, axes }: ChartOptions): string {
  const scale = axes === 'linear' ? linearScale : logarithmicScale;
  const all = series.flatMap(({ points }) => points);
  const x = scale(
    all.map((point) => point.x),
    margin.left,
    width - margin.right,
  );
  const y = scale(
    all.map((point) => point.y),
    height - margin.bottom,
    margin.top,
  );
  const parts: string[] = [];
  const text = (at: string, words: string, attributes = ''): void => {
    parts.push(`<text ${at} ${attributes}>${escaped(words)}</text>`);
  };
  text(`x="${margin.left}" y="24"`, title, 'font-size="16" font-weight="bold"');
  text(
    `x="${(margin.left + width - margin.right) / 2}" y="${height - 14}"`,
    xTitle,
    'text-anchor="middle" fill="#444"',
  );
  const middle = (margin.top + height - margin.bottom) / 2;
  text(`transform="translate(20 ${middle}) rotate(-90)"`, yTitle, 'text-anchor="middle" fill="#444"');
  for (const value of x.ticks) {
    parts.push(
      `<path d="M${x.at(value)} ${margin.top}V${height - margin.bottom}" stroke="#e4e4e4" fill="none"/>`,
    );
    text(
      `x="${x.at(value)}" y="${height - margin.bottom + 18}"`,
      short(value),
      'text-anchor="middle" fill="#666"',
    );
  }
  for (const value of y.ticks) {
    parts.push(
      `<path d="M${margin.left} ${y.at(value)}H${width - margin.right}" stroke="#e4e4e4" fill="none"/>`,
    );
    text(`x="${margin.left - 8}" y="${y.at(value) + 4}"`, short(value), 'text-anchor="end" fill="#666"');
  }
  const names: { name: string; y: number; x: number; colour: string }[] = [];
  for (const [i, { name, points }] of series.entries()) {
    const colour = colours[i % colours.length]!;
    const mark = marks[i % marks.length]!;
    const places = points.map((point) => ({ ...point, px: x.at(point.x), py: y.at(point.y) }));
    if (lines)
      parts.push(
        `<polyline points="${places.map(({ px, py }) => `${px},${py}`).join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      );
    if (axes !== 'linear')
      parts.push(`<g fill="${colour}">${places.map(({ px, py }) => mark(px, py)).join('')}</g>`);
    for (const { px, py, label } of places)
      if (label !== undefined) text(`x="${px + 8}" y="${py - 8}"`, label, `fill="${colour}" font-size="11"`);
    const last = places.at(-1);
    if (last !== undefined) names.push({ name, x: last.px + 12, y: last.py + 4, colour });
  }
  // Names that would overlap are moved apart, from the top down.
  names.sort((a, b) => a.y - b.y);
  let floor = Number.NEGATIVE_INFINITY;
  for (const { name, x: nameX, y: nameY, colour } of names) {
    const at = lines ? Math.max(nameY, floor + 15) : nameY;
    floor = at;
    text(`x="${round(nameX)}" y="${round(at)}"`, name, `fill="${colour}" font-weight="bold"`);
  }
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">\n` +
    `<rect width="${width}" height="${height}" fill="#fff"/>\n${parts.join('\n')}\n</svg>\n`
  );
}

/**
 * Places values on a logarithmic axis, with ticks at powers of ten, or at 1, 2 and 5 where there are few of
 * them.
 */
function logarithmicScale(values: readonly number[], from: number, to: number) {
  const low = Math.log10(Math.min(...values) / 1.3);
  const high = Math.log10(Math.max(...values) * 1.3);
  const ticks: number[] = [];
  const steps = high - low < 2 ? [1, 2, 5] : [1];
  for (let power = Math.floor(low); power <= high; power++)
    for (const step of steps) {
      const value = step * 10 ** power;
      if (Math.log10(value) >= low && Math.log10(value) <= high) ticks.push(value);
    }
  return {
    ticks,
    at: (value: number) => round(from + ((Math.log10(value) - low) / (high - low)) * (to - from)),
  };
}

/** Places values on an axis from zero, with five ticks or so at round numbers. */
function linearScale(values: readonly number[], from: number, to: number) {
  const high = Math.max(...values, 1e-9) * 1.05;
  const power = 10 ** Math.floor(Math.log10(high / 5));
  const step = power * [1, 2, 5, 10].find((each) => each * power * 6 >= high)!;
  const ticks = Array.from({ length: Math.floor(high / step) + 1 }, (_, i) => i * step);
  return { ticks, at: (value: number) => round(from + (value / high) * (to - from)) };
}

const round = (value: number): number => Math.round(value * 10) / 10;

function short(value: number): string {
  if (value >= 1e6) return `${round(value / 1e6)} M`;
  if (value >= 1e3) return `${round(value / 1e3)} k`;
  return String(Number(value.toPrecision(2)));
}

const escaped = (words: string): string =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
