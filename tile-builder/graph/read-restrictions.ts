import type { RestrictionRelation } from '#osm/elements/osm-extract.js';
import type { HoursRule } from '#routing-engine/network/hours-rule.js';
import type { Tags } from '#schemas/osm-sink.js';
import type { DirectedEdges } from './directed-edges.js';
import { bearingInOf, bearingOutOf, type PieceBearings } from './piece-bearings.js';
import { type RestrictionKind, restrictionKinds } from './restriction-kind.js';
import type { RoadPieces } from './road-pieces.js';

/**
 * A driver who drove `sequence` may not (`only`: may do nothing but) continue on any of `to`. Bits of
 * `modes`: 1 << mode.
 */
export interface TurnRestriction {
  readonly sequence: readonly number[];
  readonly to: readonly number[];
  readonly only: boolean;
  readonly modes: number;
  /** It applies while this rule shuts; undefined: always. */
  readonly hours: HoursRule | undefined;
}

/** The parsed tags of relations, for the next build. */
export type KindsRead = ReadonlyMap<Tags, RestrictionKind[]>;

/**
 * Turn restrictions as sequences of directed edges. A relation that does not fit the roads, because a member
 * is missing or does not touch the next one, is left out. If members pass through the crossing instead of
 * ending there, the mapper should have split them: the parts whose turn is nearest to the relation's name are
 * used.
 */
export function readRestrictions(
  relations: readonly RestrictionRelation[],
  pieces: RoadPieces,
  edges: DirectedEdges,
  bearings: PieceBearings,
  known?: KindsRead,
): { readonly restrictions: TurnRestriction[]; readonly kinds: KindsRead } {
  const wanted = new Set<number>();
  const wantedNodes = new Set<number>();
  for (const { members } of relations)
    for (const { type, id, role } of members) {
      if (type === 'way') wanted.add(id);
      else if (role === 'via') wantedNodes.add(id);
    }
  const { nodeOf, edgesOfWay } = namedRoads(wanted, wantedNodes, pieces, edges);
  const roads: Roads = { edges, edgesOfWay, bearings };

  const found: TurnRestriction[] = [];
  const kindsOf = new Map<Tags, RestrictionKind[]>();
  for (const { tags, members } of relations) {
    const kinds = known?.get(tags) ?? restrictionKinds(tags);
    kindsOf.set(tags, kinds);
    if (kinds.length === 0) continue;
    const ways = (role: string): number[] =>
      members.filter((member) => member.role === role && member.type === 'way').map((member) => member.id);
    const viaNode = members.find((member) => member.role === 'via' && member.type === 'node');
    const via = viaNode === undefined ? undefined : nodeOf.get(viaNode.id);
    if (viaNode !== undefined && via === undefined) continue;
    const turns = ways('from').flatMap((from) =>
      ways('to').map((to) => turnsBetween(roads, from, via ?? ways('via'), to)),
    );
    for (const { kind, modes, hours } of kinds) {
      const only = kind.startsWith('only_');
      const toOf = new Map<string, { sequence: readonly number[]; to: Set<number> }>();
      for (const { sequence, to } of turns.flatMap((candidates) => turnsMeant(roads, candidates, kind))) {
        const key = sequence.join();
        const rule = toOf.get(key);
        if (rule === undefined) toOf.set(key, { sequence, to: new Set([to]) });
        else rule.to.add(to);
      }
      for (const { sequence, to } of toOf.values()) {
        if (only) found.push(...onTheWay(sequence, modes & modesThrough(pieces, edges, sequence, to), hours));
        found.push({ sequence, to: [...to], only, modes, hours });
      }
    }
  }
  return { restrictions: found, kinds: kindsOf };
}

/**
 * If several ways lead to the only permitted road, a driver on the first must follow all of them: leaving at
 * the first crossing would be the forbidden turn. Modes that cannot use all of them, and the road behind
 * them, are exempt.
 */
function onTheWay(
  sequence: readonly number[],
  modes: number,
  hours: HoursRule | undefined,
): TurnRestriction[] {
  if (modes === 0) return [];
  return sequence
    .slice(1)
    .map((next, i) => ({ sequence: sequence.slice(0, i + 1), to: [next], only: true, modes, hours }));
}

function modesThrough(
  { reading, readings }: RoadPieces,
  { piece, against }: DirectedEdges,
  sequence: readonly number[],
  to: Iterable<number>,
): number {
  const modesOn = (edge: number): number => {
    const { forwardKph, backwardKph } = readings[reading[piece[edge]]];
    const kph = against[edge] === 1 ? backwardKph : forwardKph;
    return kph.reduce((modes, each, mode) => (each > 0 ? modes | (1 << mode) : modes), 0);
  };
  const through = sequence.reduce((modes, edge) => modes & modesOn(edge), ~0);
  return through & [...to].reduce((modes, edge) => modes | modesOn(edge), 0);
}

/** The edges of the ways that are named, and those of the named nodes that lie on them. */
function namedRoads(
  ways: ReadonlySet<number>,
  nodes: ReadonlySet<number>,
  { wayId, nodeOsmId }: RoadPieces,
  { count, piece, tail, head }: DirectedEdges,
) {
  const nodeOf = new Map<number, number>();
  const edgesOfWay = new Map<number, number[]>();
  let way = Number.NaN;
  let list: number[] | undefined;
  for (let edge = 0; edge < count; edge++) {
    const own = wayId[piece[edge]];
    // The edges of a way follow one another.
    if (own !== way) {
      way = own;
      list = ways.has(way) ? (edgesOfWay.get(way) ?? []) : undefined;
      if (list !== undefined) edgesOfWay.set(way, list);
    }
    if (list === undefined) continue;
    list.push(edge);
    if (nodes.has(nodeOsmId[tail[edge]])) nodeOf.set(nodeOsmId[tail[edge]], tail[edge]);
    if (nodes.has(nodeOsmId[head[edge]])) nodeOf.set(nodeOsmId[head[edge]], head[edge]);
  }
  return { nodeOf, edgesOfWay };
}

interface Roads {
  readonly edges: DirectedEdges;
  readonly edgesOfWay: ReadonlyMap<number, readonly number[]>;
  readonly bearings: PieceBearings;
}

interface Turn {
  readonly sequence: readonly number[];
  readonly to: number;
}

const leaving = ({ edges, edgesOfWay }: Roads, way: number, node: number): number[] =>
  (edgesOfWay.get(way) ?? []).filter((edge) => edges.tail[edge] === node);

/** Every path from one road to the other over the node, or over the ways in their order. */
function turnsBetween(roads: Roads, fromWay: number, via: number | readonly number[], toWay: number): Turn[] {
  const { edges, edgesOfWay } = roads;
  const turns: Turn[] = [];
  for (const from of edgesOfWay.get(fromWay) ?? []) {
    if (typeof via === 'number') {
      if (edges.head[from] !== via) continue;
      for (const to of leaving(roads, toWay, via)) turns.push({ sequence: [from], to });
    } else if (via.length > 0)
      for (const chain of chainsOver(roads, edges.head[from], via, toWay))
        for (const to of leaving(roads, toWay, edges.head[chain.at(-1)!]))
          turns.push({ sequence: [from, ...chain], to });
  }
  return turns;
}

const VIA_EDGES_MAX = 50;

/**
 * Edge chains from `start` along each of the ways in turn, up to where the last one meets the road that is
 * turned into.
 */
function chainsOver(roads: Roads, start: number, vias: readonly number[], toWay: number): number[][] {
  const { edges, edgesOfWay } = roads;
  let chains: number[][] = [[]];
  for (const [i, way] of vias.entries()) {
    const nextWay = vias[i + 1] ?? toWay;
    const longer: number[][] = [];
    for (const chain of chains)
      for (const against of [0, 1]) {
        const run: number[] = [];
        let node = chain.length === 0 ? start : edges.head[chain.at(-1)!];
        let reached = 0;
        const steps = (edgesOfWay.get(way) ?? []).filter((edge) => edges.against[edge] === against);
        while (run.length < VIA_EDGES_MAX) {
          const step = steps.find((edge) => edges.tail[edge] === node && !run.includes(edge));
          if (step === undefined) break;
          run.push(step);
          node = edges.head[step];
          // The end of the way if it meets the next one, else the first node that does.
          const isEnd = !steps.some((edge) => edges.tail[edge] === node && !run.includes(edge));
          if ((reached === 0 || isEnd) && leaving(roads, nextWay, node).length > 0) reached = run.length;
        }
        if (reached > 0) longer.push([...chain, ...run.slice(0, reached)]);
      }
    chains = longer;
  }
  return chains;
}

/** Degrees from straight on, clockwise, of the turns that have a direction. */
const angleOfKind: Readonly<Record<string, number>> = {
  right_turn: 90,
  left_turn: -90,
  straight_on: 0,
  u_turn: 180,
};

/** Which of the turns between two ways a restriction of this kind means. */
function turnsMeant({ edges, bearings }: Roads, turns: readonly Turn[], kind: string): readonly Turn[] {
  const wanted = angleOfKind[kind.replace(/^(no|only)_/, '')];
  if (turns.length < 2 || wanted === undefined) return turns;
  const turnBacks = turns.filter(({ sequence, to }) => edges.reverse[sequence.at(-1)!] === to);
  if (wanted === 180 && turnBacks.length > 0) return turnBacks;
  const offBy = ({ sequence, to }: Turn): number => {
    const from = sequence[0]!;
    const before = bearingInOf(bearings, edges.piece[from], edges.against[from]);
    const after = bearingOutOf(bearings, edges.piece[to], edges.against[to]);
    const off = Math.abs(((after - before) * 360) / 256 - wanted) % 360;
    return Math.min(off, 360 - off);
  };
  return [turns.reduce((best, turn) => (offBy(turn) < offBy(best) ? turn : best))];
}
