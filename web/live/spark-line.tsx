import { height, lineThrough, width } from './line-through.js';

/** The last 90 s of a figure as a line without axes; the figure itself is shown as text. */
export function SparkLine({ values, fromZero }: { values: readonly (number | null)[]; fromZero: boolean }) {
  return (
    <svg class="spark" width={width} height={height} aria-hidden="true">
      <polyline points={lineThrough(values, fromZero)} />
    </svg>
  );
}
