import type { TravelMode } from '#routing-engine/network/travel-mode.js';
import { passedThrough } from './for-visitors.js';
import { mayGoThisWay, mayPassNode, mayUseWay, restrictionFor, travelsAs } from './raw-access.js';
import type { RawMap, RawRestriction } from './raw-map.js';
import { crossingOf, type Step, stepsOf } from './raw-steps.js';

export interface Verdict {
  readonly wrongs: readonly string[];
  /**
   * How often a restriction applied to the path before a turn; 0 means that the check proved nothing.
   */
  readonly restrictionsMet: number;
}

/**
 * Checks a route against the raw extract. The stable ids of its edges are resolved to surveyed nodes. Every
 * step between two of them must be open to the mode and not against a one-way. No barrier may be passed and
 * no restriction broken. Roads for visitors may be entered only if the route begins or ends in their area,
 * and a private gate only if it begins or ends behind it.
 */
export function judgeRoute(map: RawMap, edgeIds: readonly string[], mode: TravelMode): Verdict {
  const wrongs: string[] = [];
  const steps: Step[] = [];
  for (const id of edgeIds) {
    const crossing = mode === 'walking' ? crossingOf(map, id) : undefined;
    const stretch = crossing === undefined ? stepsOf(map, id) : [crossing];
    if (stretch === undefined)
      return { wrongs: [`${id}: no such stretch in the extract`], restrictionsMet: 0 };
    steps.push(...stretch);
  }
  let restrictionsMet = 0;
  for (const [i, step] of steps.entries()) {
    const tags = step.areaTags ?? map.ways.get(step.way)!.tags;
    const as = travelsAs(tags, mode, step.along);
    const access = mayUseWay(tags, as, step.along);
    if (access === 'no') wrongs.push(`way ${step.way} is closed to ${mode}`);
    if (!mayGoThisWay(tags, as, step.along)) wrongs.push(`against the one-way ${step.way} at ${step.from}`);
    const next = steps[i + 1];
    if (next === undefined) continue;
    if (next.from !== step.to) wrongs.push(`a gap between nodes ${step.to} and ${next.from}`);
    const turnsBack = next.way === step.way && next.to === step.from;
    if (!turnsBack && mayPassNode(map.nodeTags.get(step.to), mode) === 'no')
      wrongs.push(`through the barrier ${step.to}`);
    for (const restriction of map.restrictions.get(step.way) ?? []) {
      const met = judgeRestriction(map, restriction, mode, steps, i);
      if (met === undefined) continue;
      restrictionsMet++;
      if (met === 'broken') wrongs.push(`restriction ${restriction.id} at node ${step.to}`);
    }
  }
  for (const way of new Set(passedThrough(map, mode, steps)))
    wrongs.push(`passes through ${way}, which is for visitors`);
  return { wrongs, restrictionsMet };
}

/** Undefined if the route does not follow the way of the restriction. */
function judgeRestriction(
  map: RawMap,
  { tags, viaNode, viaWays, to }: RawRestriction,
  mode: TravelMode,
  steps: readonly Step[],
  at: number,
): 'kept' | 'broken' | undefined {
  const kind = restrictionFor(tags, mode);
  if (kind === undefined || to.length === 0) return undefined;
  const { way, to: node } = steps[at]!;
  if (!endsIn(map, way, node)) return undefined;
  let next = at + 1;
  if (viaNode !== undefined) {
    if (node !== viaNode) return undefined;
  } else {
    if (viaWays.length === 0) return undefined;
    for (const via of viaWays) {
      const behind = behindWholeWay(map, steps, next, via);
      if (behind === undefined) return undefined;
      next = behind;
    }
  }
  const after = steps[next];
  if (after === undefined) return undefined;
  // A relation whose ways do not meet was damaged by an edit or cut off, so it is ignored.
  if (!to.every((each) => endsIn(map, each, after.from))) return undefined;
  const taken = to.includes(after.way);
  return taken === (kind === 'only') ? 'kept' : 'broken';
}

/** Index of the first step after the way, if the route follows it from one end to the other. */
function behindWholeWay(map: RawMap, steps: readonly Step[], start: number, way: number): number | undefined {
  const length = (map.ways.get(way)?.refs.length ?? 0) - 1;
  const first = steps[start];
  if (length < 1 || first?.way !== way || first.at !== (first.along ? 0 : length)) return undefined;
  for (let i = 0; i < length; i++) {
    const step = steps[start + i];
    if (step?.way !== way || step.along !== first.along) return undefined;
  }
  return start + length;
}

/** One of the two ends of the way, and no other place on it. */
function endsIn(map: RawMap, way: number, node: number): boolean {
  const refs = map.ways.get(way)?.refs ?? [];
  return (refs[0] === node || refs.at(-1) === node) && refs.indexOf(node) === refs.lastIndexOf(node);
}
