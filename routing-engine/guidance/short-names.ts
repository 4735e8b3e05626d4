import { edgeFlag } from '../network/edge-flags.js';
import type { RoadNetwork } from '../network/road-network.js';
import type { TravelMode } from '../network/travel-mode.js';
import type { RoutePath } from '../route/find-route.js';
import { shareOf } from '../route/path-times.js';
import { choicesAt } from './choices.js';
import { dismounts } from './pushing.js';
import { isLink, sameName } from './road-likeness.js';
import type { StepStart } from './step-start.js';
import { angleAtNode, turnAngle } from './turn-angle.js';
import { CROSSBAR_DEG, TURN_DEG } from './turn-limits.js';

/** A name that a road has for less than this is not told where the driver has nothing to decide. */
const SHORT_M = 105;
/** A route that begins this near to a crossing begins there. */
const AT_CROSSING_M = 1;
/** A bend below this angle needs no instruction. */
const SMALL_DEG = 40;

/**
 * Leaves out names of short stretches, such as bridges and squares, and names that are known already. A
 * route that begins at a crossing begins on the road behind it.
 */
export function leaveOutShortNames(
  network: RoadNetwork,
  mode: TravelMode,
  path: RoutePath,
  starts: readonly StepStart[],
): StepStart[] {
  const { edges } = path;
  const kept: StepStart[] = [];
  for (const [at, start] of starts.entries()) {
    const before = kept.at(-1);
    if (before !== undefined && isOfRamp(network, mode, edges, start)) continue;
    if (before === undefined || !isOnlyName(network, mode, edges, start)) {
      kept.push(start);
      continue;
    }
    const end = starts[at + 1]?.edge ?? edges.length;
    if (before.edge === 0 && lengthM(network, path, 0, start.edge) < AT_CROSSING_M)
      kept[kept.length - 1] = { ...before, named: start.named };
    else if (
      !sameName(network, edges[before.named], edges[start.named]) &&
      lengthM(network, path, start.edge, end) >= SHORT_M
    )
      kept.push(start);
  }
  return kept;
}

/**
 * Straight on, or round a small bend without another way, not from one of several lanes, and not where a
 * cyclist gets off or on. A ship may change its name.
 */
function isOnlyName(
  network: RoadNetwork,
  mode: TravelMode,
  edges: Uint32Array,
  { edge, named, behind = named, type, modifier }: StepStart,
): boolean {
  const { flags } = network.arrays;
  const [from, to] = [edges[edge - 1], edges[behind]];
  if (dismounts(network, mode, edges.subarray(edge - 1, behind + 1))) return false;
  if (type === 'notification') return (flags[from] & flags[to] & edgeFlag.ferry) !== 0;
  if (type !== 'new name' || network.edgeLanes(from) !== '') return false;
  if (modifier === 'straight') return !turnsWithin(network, edges, edge, behind);
  const passage = { from, to, within: edges.subarray(edge, behind) };
  return Math.abs(turnAngle(network, from, to)) < SMALL_DEG && choicesAt(network, mode, passage).length === 0;
}

/** The way over a staggered crossing is straight on, but a driver turns twice on it. */
function turnsWithin(network: RoadNetwork, edges: Uint32Array, edge: number, behind: number): boolean {
  for (let at = edge; at <= behind; at++)
    if (Math.abs(angleAtNode(network, edges[at - 1], edges[at])) >= TURN_DEG) return true;
  return false;
}

/** From ramp to ramp, where no other leads on: drivers do not leave it, whatever its name is. */
function isOfRamp(
  network: RoadNetwork,
  mode: TravelMode,
  edges: Uint32Array,
  { edge, named, behind = named, type }: StepStart,
): boolean {
  const passage = { from: edges[edge - 1], to: edges[behind], within: edges.subarray(edge, behind) };
  return (
    type === 'new name' &&
    isLink(network, passage.from) &&
    isLink(network, passage.to) &&
    Math.abs(turnAngle(network, passage.from, passage.to)) < TURN_DEG &&
    choicesAt(network, mode, passage).every(({ angle }) => Math.abs(angle) >= CROSSBAR_DEG)
  );
}

function lengthM(network: RoadNetwork, path: RoutePath, from: number, to: number): number {
  let metres = 0;
  for (let at = from; at < to; at++) metres += network.edgeLengthM(path.edges[at]) * shareOf(path, at);
  return metres;
}
