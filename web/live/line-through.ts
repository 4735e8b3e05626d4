export const width = 92;
export const height = 26;
const samples = 90;
/** Above and below, so that no line is cut in half. */
const edge = 3;

/** A figure that stays the same is drawn at the bottom. */
export function lineThrough(values: readonly (number | null)[], fromZero: boolean): string {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return '';
  const low = fromZero ? 0 : Math.min(...known);
  const across = Math.max(...known) - low || 1;
  const first = samples - values.length;
  const points = values.flatMap((value, at) => {
    if (value === null) return [];
    const x = ((first + at) / (samples - 1)) * width;
    const y = edge + (1 - (value - low) / across) * (height - 2 * edge);
    return [`${x.toFixed(1)},${y.toFixed(1)}`];
  });
  return points.join(' ');
}
