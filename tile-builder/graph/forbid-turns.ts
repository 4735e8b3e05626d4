import type { DirectedEdges } from './directed-edges.js';
import type { TurnRestriction } from './read-restrictions.js';

/** From one edge straight to another is forbidden to the modes in the mask. */
export interface ForbiddenTurn {
  readonly from: number;
  readonly to: number;
  readonly modes: number;
}

const ALL_MODES = 7;

/**
 * Converts turn restrictions over several ways to forbidden turns between two edges, by giving each relevant
 * partial path an edge of its own: the automaton of Aho and Corasick, with copies of edges as states and the
 * edges themselves as plain states. Adds the copies to `edges`.
 */
export function forbidTurns(edges: DirectedEdges, restrictions: readonly TurnRestriction[]): ForbiddenTurn[] {
  /** Edge of each way-so-far of two or more edges, by its edges joined with commas. */
  const stateOf = new Map<string, number>();
  const sequenceOf = new Map<number, readonly number[]>();
  const rulesOf = new Map<string, TurnRestriction[]>();
  for (const restriction of restrictions) {
    for (let length = 2; length <= restriction.sequence.length; length++) {
      const sequence = restriction.sequence.slice(0, length);
      const key = sequence.join();
      if (stateOf.has(key)) continue;
      const state = edges.copy(sequence.at(-1)!);
      stateOf.set(key, state);
      sequenceOf.set(state, sequence);
    }
    const key = restriction.sequence.join();
    rulesOf.set(key, [...(rulesOf.get(key) ?? []), restriction]);
  }

  const sequenceAt = (state: number): readonly number[] => sequenceOf.get(state) ?? [state];
  const next = (state: number, edge: number): number => {
    const sequence = [...sequenceAt(state), edge];
    for (let start = 0; start < sequence.length - 1; start++) {
      const found = stateOf.get(sequence.slice(start).join());
      if (found !== undefined) return found;
    }
    return edge;
  };

  const forbidden: ForbiddenTurn[] = [];
  const originalsOut = (node: number): number[] =>
    edges.outOf(node).filter((edge) => edges.copyOf[edge] === edge);
  const statesToJudge = new Set<number>(sequenceOf.keys());
  for (const { sequence } of restrictions)
    for (const copy of copiesOf(edges, sequence[0])) statesToJudge.add(copy);
  for (const state of statesToJudge) {
    const sequence = sequenceAt(state);
    const rules = sequence.map((_, start) => rulesOf.get(sequence.slice(start).join()) ?? []);
    for (const to of originalsOut(edges.head[state])) {
      const modes = rules.reduce((all, ofPart) => all | forbiddenModes(ofPart, to), 0);
      if (modes !== 0) forbidden.push({ from: state, to: next(state, to), modes });
    }
  }
  // Of an edge and its copies, each way-so-far may enter exactly one.
  for (const node of new Set([...sequenceOf.keys()].map((state) => edges.tail[state])))
    for (const state of edges.into(node))
      for (const edge of edges.outOf(node)) {
        const original = edges.copyOf[edge];
        if (copiesOf(edges, original).length > 1 && next(state, original) !== edge)
          forbidden.push({ from: state, to: edge, modes: ALL_MODES });
      }
  return forbidden;
}

/**
 * Modes that rules about one partial path forbid to continue on an edge. If several rules require an edge,
 * one must be obeyed.
 */
function forbiddenModes(rules: readonly TurnRestriction[], to: number): number {
  let forbidden = 0;
  let bound = 0;
  let obeying = 0;
  for (const rule of rules) {
    const isNamed = rule.to.includes(to) ? rule.modes : 0;
    if (rule.only) {
      bound |= rule.modes;
      obeying |= isNamed;
    } else forbidden |= isNamed;
  }
  return forbidden | (bound & ~obeying);
}

/** The edge itself and its copies. */
function copiesOf(edges: DirectedEdges, original: number): number[] {
  return edges.outOf(edges.tail[original]).filter((edge) => edges.copyOf[edge] === original);
}
