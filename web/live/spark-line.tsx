import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

const width = 92;
const height = 26;
const samples = 90;

function accent(): string {
  return getComputedStyle(document.documentElement).getPropertyValue('--accent').trim();
}

/** A constant figure is drawn at the bottom, which avoids a division by zero. */
function spread(low: number, high: number): [number, number] {
  return [low, high > low ? high : low + 1];
}

const silent = { show: false } as const;

/** The last 90 s of a figure as a line without axes; the figure itself is shown as text. */
export function SparkLine({ values, fromZero }: { values: readonly (number | null)[]; fromZero: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  useEffect(() => {
    const made = new uPlot(
      {
        width,
        height,
        padding: [3, 1, 3, 1],
        legend: silent,
        cursor: silent,
        axes: [silent, silent],
        scales: {
          x: { time: false, range: () => [0, samples - 1] },
          y: { range: (_, low, high) => spread(fromZero ? 0 : (low ?? 0), high ?? 0) },
        },
        series: [{}, { stroke: accent, width: 1.5, points: silent, spanGaps: true }],
      },
      [[], []],
      place.current as HTMLDivElement,
    );
    plot.current = made;
    return () => made.destroy();
  }, [fromZero]);
  useEffect(() => {
    const from = samples - values.length;
    plot.current?.setData([values.map((_, i) => from + i), [...values]]);
  }, [values]);
  return <div class="spark" ref={place} aria-hidden="true" />;
}
