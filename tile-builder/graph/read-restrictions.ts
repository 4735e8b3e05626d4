import type { RestrictionRelation } from '../osm/osm-extract.js';
import { profiles } from '../profiles/profiles.js';
import type { DirectedEdges } from './directed-edges.js';
import type { RoadPieces } from './road-pieces.js';

/** Whoever drove `sequence` may not (`only`: may do nothing but) go on to `to`. Bits of `modes`: 1 << mode. */
export interface TurnRestriction {
  readonly sequence: readonly number[];
  readonly to: number;
  readonly only: boolean;
  readonly modes: number;
}

/** Turn restrictions as sequences of directed edges. A relation that does not fit the roads (cut off, or not ending at the crossing) is left out. */
export function readRestrictions(
  relations: readonly RestrictionRelation[],
  pieces: RoadPieces,
  edges: DirectedEdges,
): TurnRestriction[] {
  const nodeOf = new Map<number, number>();
  for (let node = 0; node < pieces.nodeOsmId.length; node++) nodeOf.set(pieces.nodeOsmId[node], node);
  const wanted = new Set<number>();
  for (const { members } of relations) for (const { type, id } of members) if (type === 'way') wanted.add(id);
  const edgesOfWay = new Map<number, number[]>();
  for (let edge = 0; edge < edges.tail.length; edge++) {
    const way = pieces.wayId[edges.piece[edge]];
    if (!wanted.has(way)) continue;
    const list = edgesOfWay.get(way);
    if (list === undefined) edgesOfWay.set(way, [edge]);
    else list.push(edge);
  }
  /** A way ends at a node when exactly one of its pieces touches it. */
  const endsAt = (way: number, node: number): boolean => {
    const touching = new Set<number>();
    for (const edge of edgesOfWay.get(way) ?? [])
      if (edges.tail[edge] === node || edges.head[edge] === node) touching.add(edges.piece[edge]);
    return touching.size === 1;
  };
  const arriving = (way: number, node: number): number[] =>
    endsAt(way, node) ? (edgesOfWay.get(way) ?? []).filter((edge) => edges.head[edge] === node) : [];
  const leaving = (way: number, node: number): number[] =>
    endsAt(way, node) ? (edgesOfWay.get(way) ?? []).filter((edge) => edges.tail[edge] === node) : [];

  const found: TurnRestriction[] = [];
  for (const { tags, members } of relations) {
    const { only, modes } = boundModes(tags);
    if (modes === 0) continue;
    const ways = (role: string): number[] =>
      members.filter((member) => member.role === role && member.type === 'way').map((member) => member.id);
    const viaNode = members.find((member) => member.role === 'via' && member.type === 'node');
    for (const fromWay of ways('from'))
      for (const toWay of ways('to')) {
        if (viaNode !== undefined) {
          const via = nodeOf.get(viaNode.id);
          if (via === undefined) continue;
          for (const from of arriving(fromWay, via))
            for (const to of leaving(toWay, via)) found.push({ sequence: [from], to, only, modes });
        } else {
          const vias = ways('via');
          if (vias.length === 0) continue;
          for (const from of edgesOfWay.get(fromWay) ?? []) {
            if (!endsAt(fromWay, edges.head[from])) continue;
            for (const chain of followVias(edges, edgesOfWay, edges.head[from], vias)) {
              const end = chain.length === 0 ? undefined : edges.head[chain.at(-1)!];
              if (end === undefined) continue;
              for (const to of leaving(toWay, end))
                found.push({ sequence: [from, ...chain], to, only, modes });
            }
          }
        }
      }
  }
  return found;
}

const VIA_EDGES_MAX = 50;

/** Edge chains from `start` that run each via way from one of its ends to the other. */
function followVias(
  edges: DirectedEdges,
  edgesOfWay: ReadonlyMap<number, readonly number[]>,
  start: number,
  vias: readonly number[],
): number[][] {
  let chains: { readonly at: number; readonly chain: readonly number[] }[] = [{ at: start, chain: [] }];
  for (const way of vias) {
    const next: typeof chains = [];
    const own = edgesOfWay.get(way) ?? [];
    for (const { at, chain } of chains)
      for (const against of [false, true]) {
        const run: number[] = [];
        let node = at;
        const steps = own.filter((edge) => edges.against[edge] === against);
        for (;;) {
          const step = steps.find((edge) => edges.tail[edge] === node && !run.includes(edge));
          if (step === undefined || run.length > VIA_EDGES_MAX) break;
          run.push(step);
          node = edges.head[step];
        }
        // The whole way is the via: a chain that starts in its middle is another road.
        if (run.length > 0 && run.length === steps.length) next.push({ at: node, chain: [...chain, ...run] });
      }
    chains = next;
  }
  return chains.map(({ chain }) => [...chain]);
}

/** Which modes a relation binds, and whether it prescribes or forbids. */
function boundModes(tags: RestrictionRelation['tags']): { only: boolean; modes: number } {
  const except = new Set((tags.get('except') ?? '').split(';').map((value) => value.trim()));
  let only = false;
  let modes = 0;
  for (const [mode, profile] of profiles.entries()) {
    // The most specific key wins; the plain one is the first of the list.
    const key = profile.restrictionKeys.findLast((candidate) => tags.has(candidate));
    const value = key === undefined ? undefined : tags.get(key);
    if (value === undefined || profile.exceptValues.some((free) => except.has(free))) continue;
    if (!value.startsWith('no_') && !value.startsWith('only_')) continue;
    only = value.startsWith('only_');
    modes |= 1 << mode;
  }
  return { only, modes };
}
