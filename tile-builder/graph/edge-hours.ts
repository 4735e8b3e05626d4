import { edgeFlag } from '#routing-engine/network/edge-flags.js';
import type { HoursRule } from '#routing-engine/network/hours-rule.js';
import type { EdgeHours } from '#routing-engine/network/network-arrays.js';
import { travelModes } from '#routing-engine/network/travel-mode.js';
import type { DirectedEdges } from './directed-edges.js';
import type { TurnAtHours } from './forbid-turns.js';
import type { RoadPieces } from './road-pieces.js';

/** Marks the copies that are shut at some hours. */
export function flagTurns(flags: Uint32Array, turns: readonly TurnAtHours[]): void {
  for (const { edge } of turns) flags[edge] |= edgeFlag.hours;
}

/** Equal rules once each, with the numbers that `newEdge` gives to their edges. */
export function edgeHours(
  { reading, readings }: RoadPieces,
  edges: DirectedEdges,
  flags: Uint32Array,
  turns: readonly TurnAtHours[],
  newEdge: Uint32Array,
): EdgeHours[] {
  const found = new Map<string, HoursRule & { readonly edges: Set<number>[] }>();
  const add = (rule: HoursRule, mode: number, edge: number): void => {
    const key = JSON.stringify(rule);
    const known = found.get(key) ?? { ...rule, edges: travelModes.map(() => new Set<number>()) };
    known.edges[mode].add(newEdge[edge]);
    found.set(key, known);
  };
  for (let edge = 0; edge < edges.count; edge++) {
    if ((flags[edge] & edgeFlag.hours) === 0) continue;
    const { forwardHours, backwardHours } = readings[reading[edges.piece[edge]]];
    const byMode = (edges.against[edge] === 1 ? backwardHours : forwardHours) ?? [];
    for (const [mode, rules] of byMode.entries()) for (const rule of rules) add(rule, mode, edge);
  }
  for (const { edge, modes, rule } of turns)
    for (const mode of travelModes.keys()) if ((modes & (1 << mode)) !== 0) add(rule, mode, edge);
  return [...found]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { edges: ofModes, ...rule }]) => ({
      ...rule,
      edges: ofModes.map((each) => [...each].sort((a, b) => a - b)),
    }));
}
