import type { HoursRule } from '#routing-engine/network/hours-rule.js';
import { travelModes } from '#routing-engine/network/travel-mode.js';
import type { DirectedEdges } from './directed-edges.js';
import type { TurnRestriction } from './read-restrictions.js';

/** From one edge straight to another is forbidden to the modes in the mask. */
export interface ForbiddenTurn {
  readonly from: number;
  readonly to: number;
  readonly modes: number;
}

/** A copy of an edge that is entered only by a turn that is forbidden to the modes while the rule shuts. */
export interface TurnAtHours {
  readonly edge: number;
  readonly modes: number;
  readonly rule: HoursRule;
}

const ALL_MODES = (1 << travelModes.length) - 1;

/**
 * Converts turn restrictions over several ways to forbidden turns between two edges, by giving each relevant
 * partial path an edge of its own: the automaton of Aho and Corasick, with copies of edges as states and the
 * edges themselves as plain states. Adds the copies to `edges`. A turn that is forbidden at some hours is
 * such a partial path, too: its last edge is a copy that is shut at these hours.
 */
export function forbidTurns(
  edges: DirectedEdges,
  restrictions: readonly TurnRestriction[],
): { readonly forbidden: ForbiddenTurn[]; readonly atHours: TurnAtHours[] } {
  /** Edge of each way-so-far of two or more edges, by its edges joined with commas. */
  const stateOf = new Map<string, number>();
  const sequenceOf = new Map<number, readonly number[]>();
  const rulesOf = new Map<string, TurnRestriction[]>();
  const originalsOut = (node: number): number[] =>
    edges.outOf(node).filter((edge) => edges.copyOf[edge] === edge);
  const addStates = (whole: readonly number[]): void => {
    for (let length = 2; length <= whole.length; length++) {
      const sequence = whole.slice(0, length);
      const key = sequence.join();
      if (stateOf.has(key)) continue;
      const state = edges.copy(sequence.at(-1)!);
      stateOf.set(key, state);
      sequenceOf.set(state, sequence);
    }
  };
  for (const restriction of restrictions) {
    const { sequence, hours } = restriction;
    addStates(sequence);
    if (hours !== undefined)
      for (const to of originalsOut(edges.head[sequence.at(-1)!]))
        if (forbids(restriction, to)) addStates([...sequence, to]);
    const key = sequence.join();
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
  /** The rules about the end of a partial path, from each of its edges on. */
  const rulesAfter = (sequence: readonly number[]): TurnRestriction[][] =>
    sequence.map((_, start) => rulesOf.get(sequence.slice(start).join()) ?? []);

  const forbidden: ForbiddenTurn[] = [];
  const statesToJudge = new Set<number>(sequenceOf.keys());
  for (const { sequence } of restrictions)
    for (const copy of copiesOf(edges, sequence[0])) statesToJudge.add(copy);
  for (const state of statesToJudge) {
    const rules = rulesAfter(sequenceAt(state));
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
  const atHours = [...sequenceOf].flatMap(([edge, sequence]) =>
    rulesAfter(sequence.slice(0, -1))
      .flat()
      .flatMap((rule) =>
        rule.hours !== undefined && forbids(rule, sequence.at(-1)!)
          ? [{ edge, modes: rule.modes, rule: rule.hours }]
          : [],
      ),
  );
  return { forbidden, atHours };
}

const forbids = ({ only, to }: TurnRestriction, edge: number): boolean => to.includes(edge) !== only;

/**
 * Modes that rules about one partial path forbid to continue on an edge at any hour. If several rules require
 * an edge, one must be obeyed.
 */
function forbiddenModes(rules: readonly TurnRestriction[], to: number): number {
  let forbidden = 0;
  let bound = 0;
  let obeying = 0;
  for (const rule of rules) {
    if (rule.hours !== undefined) continue;
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
