import type { MapFeature } from './map-feature.js';

type LineFeature = MapFeature & { readonly shape: { readonly type: 'line' } };

const startOf = (line: Int32Array): string => `${line[0]},${line[1]}`;
const endOf = (line: Int32Array): string => `${line[line.length - 2]},${line[line.length - 1]}`;

const lookOf = ({ drawing: { layer, minZoom, attributes } }: MapFeature): string =>
  `${layer} ${minZoom} ${attributes.map(({ key, value }) => `${key}=${value}`).join('\n')}`;

/**
 * Joins lines that look alike and follow one another. A map cuts roads at every bridge and speed limit; drawn at a low
 * zoom, where each piece is smaller than a pixel, they would all be simplified away, and a name would be written many times.
 */
export function joinLines(features: readonly LineFeature[]): LineFeature[] {
  const groups = new Map<string, LineFeature[]>();
  for (const feature of features) {
    const look = lookOf(feature);
    const group = groups.get(look);
    if (group === undefined) groups.set(look, [feature]);
    else group.push(feature);
  }
  return [...groups.values()].flatMap((group) => (group.length === 1 ? group : joinGroup(group)));
}

function joinGroup(group: readonly LineFeature[]): LineFeature[] {
  const ends = new Set(group.map(({ shape }) => endOf(shape.line)));
  const byStart = new Map<string, LineFeature[]>();
  for (const feature of group) {
    const start = startOf(feature.shape.line);
    const there = byStart.get(start);
    if (there === undefined) byStart.set(start, [feature]);
    else there.push(feature);
  }
  const joined: LineFeature[] = [];
  const drain = (start: string): void => {
    const waiting = byStart.get(start)!;
    for (let first = waiting.shift(); first !== undefined; first = waiting.shift()) {
      const chain: Int32Array[] = [];
      for (let next: LineFeature | undefined = first; next !== undefined; ) {
        chain.push(next.shape.line);
        next = byStart.get(endOf(next.shape.line))?.shift();
      }
      joined.push({ ...first, shape: { type: 'line', line: concatenated(chain) } });
    }
  };
  // First what no other line leads to, so that chains are begun at their beginnings; what is left runs in rings.
  for (const start of byStart.keys()) if (!ends.has(start)) drain(start);
  for (const start of byStart.keys()) drain(start);
  return joined;
}

function concatenated(chain: readonly Int32Array[]): Int32Array {
  if (chain.length === 1) return chain[0]!;
  const line = new Int32Array(chain.reduce((sum, piece) => sum + piece.length - 2, 2));
  let at = 0;
  for (const piece of chain) {
    line.set(at === 0 ? piece : piece.subarray(2), at);
    at += at === 0 ? piece.length : piece.length - 2;
  }
  return line;
}
