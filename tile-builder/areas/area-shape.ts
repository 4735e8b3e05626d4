import { type BoxedRing, boxOf, doubleArea, ringWithin } from '#osm/polygons/ring-geometry.js';

/** Outlines and holes of an area, as vertices in whole 1e-7 degrees. */
export interface AreaShape {
  /** [V] longitude and latitude from a corner of the area, so that products are exact. */
  readonly x: Int32Array;
  readonly y: Int32Array;
  /** [V] index of the node. */
  readonly nodes: Int32Array;
  /** [V] neighbours along the outline. */
  readonly before: Int32Array;
  readonly after: Int32Array;
  /** [V] 1 where the shortest path inside may bend: the outline turns away from the inside. */
  readonly bends: Uint8Array;
  /** [V] 1 where two outlines touch: nobody passes between them. */
  readonly pinched: Uint8Array;
}

/** Twice the area of a triangle, positive when it runs counter-clockwise; exact below 2²⁵ units. */
export const side = ({ x, y }: Pick<AreaShape, 'x' | 'y'>, a: number, b: number, c: number): number =>
  (x[b] - x[a]) * (y[c] - y[a]) - (y[b] - y[a]) * (x[c] - x[a]);

/** Whether a vertex on the line through two others lies between them, at neither. */
export function isBetween({ x, y }: Pick<AreaShape, 'x' | 'y'>, a: number, b: number, c: number): boolean {
  const along = (x[b] - x[a]) * (x[c] - x[a]) + (y[b] - y[a]) * (y[c] - y[a]);
  return along > 0 && along < (x[b] - x[a]) ** 2 + (y[b] - y[a]) ** 2;
}

interface Places {
  readonly nodeLngE7: Int32Array;
  readonly nodeLatE7: Int32Array;
}

export function areaShape(rings: readonly Int32Array[], { nodeLngE7, nodeLatE7 }: Places): AreaShape {
  const drawn = rings
    .map((ring) => withoutRepeats(ring, nodeLngE7, nodeLatE7))
    .filter((ring) => ring.length > 2);
  const nodes = Int32Array.from(drawn.flat());
  const boxes = drawn.map((ring) => boxed(ring, nodeLngE7, nodeLatE7));
  const [west, south] = [0, 1].map((at) => Math.min(...boxes.map(({ box }) => box[at]!)));
  const before = new Int32Array(nodes.length);
  const after = new Int32Array(nodes.length);
  const shape = {
    nodes,
    x: Int32Array.from(nodes, (node) => nodeLngE7[node] - west!),
    y: Int32Array.from(nodes, (node) => nodeLatE7[node] - south!),
    before,
    after,
    bends: new Uint8Array(nodes.length),
    pinched: new Uint8Array(nodes.length),
  };
  let first = 0;
  for (const [index, ring] of drawn.entries()) {
    for (let i = 0; i < ring.length; i++) {
      after[first + i] = first + ((i + 1) % ring.length);
      before[first + ((i + 1) % ring.length)] = first + i;
    }
    const around = boxes.filter((other, i) => i !== index && ringWithin(boxes[index]!, other)).length;
    const isInsideLeft = doubleArea(boxes[index]!.ring) > 0 === (around % 2 === 0);
    for (let v = first; v < first + ring.length; v++) {
      const turn = side(shape, before[v], v, after[v]);
      shape.bends[v] = isInsideLeft ? Number(turn < 0) : Number(turn > 0);
    }
    first += ring.length;
  }
  for (let v = 0; v < nodes.length; v++) shape.pinched[v] = isPinched(shape, v) ? 1 : 0;
  return shape;
}

/** A ring without places that repeat the one before them. */
function withoutRepeats(ring: Int32Array, lng: Int32Array, lat: Int32Array): number[] {
  const isSame = (a: number, b: number): boolean => lng[a] === lng[b] && lat[a] === lat[b];
  return Array.from(ring).filter((node, i) => !isSame(node, ring[(i + ring.length - 1) % ring.length]));
}

function boxed(ring: readonly number[], lng: Int32Array, lat: Int32Array): BoxedRing {
  const line = Int32Array.from([...ring, ring[0]!].flatMap((node) => [lng[node], lat[node]]));
  return { ring: line, box: boxOf(line) };
}

function isPinched(shape: AreaShape, v: number): boolean {
  const { x, y, after } = shape;
  for (let a = 0; a < x.length; a++) {
    if (a === v) continue;
    if (x[a] === x[v] && y[a] === y[v]) return true;
    const b = after[a];
    if (b !== v && side(shape, a, b, v) === 0 && isBetween(shape, a, b, v)) return true;
  }
  return false;
}
