import type { RoadNetwork } from '../network/road-network.js';
import type { TravelMode } from '../network/travel-mode.js';
import { choicesAt } from './choices.js';
import { sameName } from './road-likeness.js';
import type { StepStart } from './step-start.js';
import { turnAngle } from './turn-angle.js';

/** A name that a road has for less than this is not told where the driver has nothing to decide. */
const SHORT_CM = 10_500;
/** A bend below this angle needs no instruction. */
const SMALL_DEG = 40;

/** Leaves out names of short stretches, such as bridges and squares, and names that are known already. */
export function leaveOutShortNames(
  network: RoadNetwork,
  mode: TravelMode,
  edges: Uint32Array,
  starts: readonly StepStart[],
): StepStart[] {
  const kept: StepStart[] = [];
  for (const [at, start] of starts.entries()) {
    const before = kept.at(-1);
    const end = starts[at + 1]?.edge ?? edges.length;
    const isRepeated = before !== undefined && sameName(network, edges[before.named], edges[start.named]);
    const isLeftOut =
      isOnlyName(network, mode, edges, start) && (isRepeated || isShort(network, edges, start.edge, end));
    if (!isLeftOut) kept.push(start);
  }
  return kept;
}

/** Straight on, or round a small bend without another way, and not from one of several lanes. */
function isOnlyName(
  network: RoadNetwork,
  mode: TravelMode,
  edges: Uint32Array,
  { edge, named, behind = named, type, modifier }: StepStart,
): boolean {
  if (type !== 'new name' || network.edgeLanes(edges[edge - 1]) !== '') return false;
  if (modifier === 'straight') return true;
  const passage = { from: edges[edge - 1], to: edges[behind], within: edges.subarray(edge, behind) };
  return (
    Math.abs(turnAngle(network, passage.from, passage.to)) < SMALL_DEG &&
    choicesAt(network, mode, passage).length === 0
  );
}

function isShort({ arrays }: RoadNetwork, edges: Uint32Array, from: number, to: number): boolean {
  let cm = 0;
  for (let at = from; at < to; at++) cm += arrays.lengthCm[edges[at]];
  return cm < SHORT_CM;
}
