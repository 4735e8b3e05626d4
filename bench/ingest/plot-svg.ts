export interface Series {
  readonly name: string;
  readonly colour: string;
  readonly points: ReadonlyArray<readonly [x: number, y: number]>;
}

const [width, height, left, bottom, top] = [640, 320, 70, 40, 30];

/** Lines over common axes as an SVG text: enough for a report, and nothing to install. */
export function plotSvg(title: string, xName: string, yName: string, series: readonly Series[]): string {
  const all = series.flatMap(({ points }) => points);
  const xMost = Math.max(1, ...all.map(([x]) => x));
  const yMost = Math.max(1, ...all.map(([, y]) => y));
  const x = (value: number) => left + (value / xMost) * (width - left - 20);
  const y = (value: number) => height - bottom - (value / yMost) * (height - bottom - top);
  const ticks = [0, 0.25, 0.5, 0.75, 1];
  const label = (value: number) => value.toLocaleString('en', { maximumSignificantDigits: 3 });
  const lines = series.map(({ name, colour, points }, i) => {
    const path = points.map(([px, py]) => `${x(px).toFixed(1)},${y(py).toFixed(1)}`).join(' ');
    return (
      `<polyline fill="none" stroke="${colour}" stroke-width="1.5" points="${path}"/>` +
      `<text x="${width - 20}" y="${top + 14 * i + 10}" text-anchor="end" fill="${colour}">${name}</text>`
    );
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="${left}" y="16" font-size="13">${title}</text>`,
    ...ticks.flatMap((part) => [
      `<line x1="${left}" x2="${width - 20}" y1="${y(part * yMost)}" y2="${y(part * yMost)}" stroke="#ddd"/>`,
      `<text x="${left - 6}" y="${y(part * yMost) + 4}" text-anchor="end">${label(part * yMost)}</text>`,
      `<text x="${x(part * xMost)}" y="${height - bottom + 16}" text-anchor="middle">${label(part * xMost)}</text>`,
    ]),
    `<text x="${(left + width) / 2}" y="${height - 6}" text-anchor="middle">${xName}</text>`,
    `<text x="${left}" y="${top - 4}" fill="#555">${yName}</text>`,
    ...lines,
    '</svg>',
    '',
  ].join('\n');
}
