import { between, type LngLat, measure, placeAlong } from './line.js';

const samples = 96;

function resample(points: readonly LngLat[]): LngLat[] {
  const line = measure(points);
  return Array.from({ length: samples }, (_, i) => placeAlong(line, (line.lengthM * i) / (samples - 1)).at);
}

/** Both lines cut into the same number of steps, so that each point of one has a counterpart on the other. */
export function createMorph(from: readonly LngLat[], to: readonly LngLat[]): (share: number) => LngLat[] {
  if (from.length < 2 || to.length < 2) return () => [...to];
  const a = resample(from);
  const b = resample(to);
  return (share) => {
    if (share >= 1) return [...to];
    const eased = 1 - (1 - Math.max(0, share)) ** 3;
    return a.map((point, i) => between(point, b[i] as LngLat, eased));
  };
}
