import type { OpenArea, OsmExtract } from '#osm/elements/osm-extract.js';
import type { Tags } from '#schemas/osm-sink.js';
import { areaShape } from './area-shape.js';
import { crossingLines } from './crossing-lines.js';

/** An area beyond any of these is not crossed: people walk along its outline, if that is a way. */
export const areaLimits = {
  /** Of its outlines and holes; the time to find its lines grows with the square or cube. */
  vertices: 1_000,
  /** Places where other ways meet it. */
  entries: 200,
  /** Its box, 1e-7 degrees: about eleven kilometres. */
  sideE7: 1_000_000,
};

type Users = ReadonlyMap<number, ReadonlySet<number | OpenArea>>;
type Places = Pick<OsmExtract, 'nodeLngE7' | 'nodeLatE7'>;
type Pairs = readonly (readonly [number, number])[];

/** What the lines of an area follow from, and they as pairs of vertices. */
interface KnownLines {
  readonly input: Int32Array;
  readonly pairs: Pairs;
}

/** A builder that follows changes computes the lines of the areas that changed. */
const known = new WeakMap<Tags, KnownLines>();

/** Pairs of nodes between which people cross the area in a straight line. */
export function linesAcross(places: Places, area: OpenArea, users: Users): [number, number][] {
  const vertices = area.rings.reduce((sum, ring) => sum + ring.length, 0);
  if (vertices > areaLimits.vertices || !fits(area, places)) return [];
  const shape = areaShape(area.rings, places);
  const { nodes, after, x, y, pinched } = shape;
  if (nodes.length === 0) return [];
  const own = new Set(area.wayIds);
  const isOther = (user: number | OpenArea): boolean =>
    typeof user === 'number' ? !own.has(user) : user !== area;
  const firstOf = new Map<number, number>();
  for (const [v, node] of nodes.entries()) if (!firstOf.has(node)) firstOf.set(node, v);
  const isEntry = Uint8Array.from(nodes, (node, v) =>
    firstOf.get(node) === v && [...users.get(node)!].some(isOther) ? 1 : 0,
  );
  const entries = isEntry.reduce((sum, each) => sum + each, 0);
  if (entries < 2 || entries > areaLimits.entries) return [];
  const isWalked = Uint8Array.from(nodes, (node, v) => (isOnWay(users, own, node, nodes[after[v]]) ? 1 : 0));
  const input = Int32Array.from([...x, ...y, ...after, ...isEntry, ...isWalked, ...pinched]);
  let lines = known.get(area.tags);
  if (lines === undefined || !isSame(lines.input, input)) {
    const latE7 = places.nodeLatE7[nodes[0]] - y[0];
    lines = { input, pairs: crossingLines(shape, latE7, isEntry, isWalked) };
    known.set(area.tags, lines);
  }
  return lines.pairs.map(([a, b]) => [nodes[a], nodes[b]]);
}

const isSame = (a: Int32Array, b: Int32Array): boolean =>
  a.length === b.length && a.every((each, at) => each === b[at]);

/** Whether one of the area's own ways, on which people walk, leads over both nodes. */
function isOnWay(users: Users, own: ReadonlySet<number>, a: number, b: number): boolean {
  const there = users.get(b)!;
  return [...users.get(a)!].some((user) => typeof user === 'number' && own.has(user) && there.has(user));
}

function fits({ rings }: OpenArea, { nodeLngE7, nodeLatE7 }: Places): boolean {
  for (const column of [nodeLngE7, nodeLatE7]) {
    let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const ring of rings)
      for (const node of ring) {
        least = Math.min(least, column[node]);
        most = Math.max(most, column[node]);
      }
    if (most - least > areaLimits.sideE7) return false;
  }
  return true;
}
