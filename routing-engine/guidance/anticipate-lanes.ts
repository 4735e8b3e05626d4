import type { RoadNetwork } from '../network/road-network.js';
import type { Lane } from '../route/lane.js';
import { modifierOf } from './maneuver-modifier.js';
import type { StepEdges } from './step-edges.js';
import { turnAngle } from './turn-angle.js';

/** A driver needs this far for each change to another lane. */
const CHANGE_CM = 19_900;

/** A place at which the driver turns, or passes a crossing with lanes. */
interface Place {
  /** Edge behind it, in the path. */
  readonly at: number;
  /** Nothing is said there. */
  readonly isSilent: boolean;
  readonly side: 'left' | 'right' | 'straight';
  /** To the next such place. */
  readonly toNextCm: number;
}

/**
 * Where the next lanes follow soon, only those lanes stay valid from which the driver need not change. Lanes
 * between two crossings are not matched one by one on the map: as many as lead to the next turn remain, on
 * the side to which it leads, less those that lie outside of it there. The rule is OSRM's.
 */
export function anticipateLanes(
  network: RoadNetwork,
  edges: Uint32Array,
  steps: readonly StepEdges[],
  found: Map<number, readonly Lane[]>,
): void {
  const places = placesOf(network, edges, steps, found);
  /** Where a driver who goes straight on turns after that. */
  const after = new Map<Place, 'left' | 'right'>();
  let toTurnCm = 0;
  for (let i = places.length - 2; i >= 0; i--) {
    const [previous, current] = [places[i], places[i + 1]];
    const [here, next] = [found.get(previous.at), found.get(current.at)];
    if (here === undefined || next === undefined || !isNear(previous, here)) continue;
    toTurnCm = previous.isSilent ? toTurnCm + previous.toNextCm : 0;
    const [valid, wanted] = [validOf(here), validOf(next)];
    const surplus = valid.length - wanted.length;
    if (wanted.length === 0 || surplus <= 0 || toTurnCm > surplus * CHANGE_CM) continue;
    const side = current.side === 'straight' ? after.get(current) : current.side;
    if (previous.side === 'straight' && side !== undefined) after.set(previous, side);
    const outside = side === 'left' ? wanted[0] : next.length - 1 - wanted[wanted.length - 1];
    const skipped = Math.min(outside, wanted.length, surplus);
    const first = side === 'left' ? skipped : surplus - skipped;
    const kept = valid.slice(first, first + wanted.length);
    found.set(
      previous.at,
      here.map((lane, at) => (lane.valid && !kept.includes(at) ? { ...lane, valid: false } : lane)),
    );
  }
}

const validOf = (lanes: readonly Lane[]): number[] => [...lanes.keys()].filter((at) => lanes[at].valid);

/** The more lanes there are beside those that lead to the turn, the more a driver may have to cross. */
function isNear({ toNextCm }: Place, lanes: readonly Lane[]): boolean {
  const valid = validOf(lanes);
  const crossed = Math.max(valid[0] ?? 0, lanes.length - 1 - (valid[valid.length - 1] ?? 0));
  return toNextCm < (1 + crossed) * CHANGE_CM;
}

function placesOf(
  network: RoadNetwork,
  edges: Uint32Array,
  steps: readonly StepEdges[],
  found: ReadonlyMap<number, readonly Lane[]>,
): Place[] {
  const said = new Map(steps.map((step) => [step.edgeFrom, step]));
  const starts = [...new Set([...said.keys(), ...found.keys()])].toSorted((a, b) => a - b);
  return starts.map((at, i) => {
    let toNextCm = 0;
    for (let edge = at; edge < (starts[i + 1] ?? edges.length); edge++)
      toNextCm += network.arrays.lengthCm[edges[edge]];
    const step = said.get(at);
    return { at, isSilent: step === undefined, side: sideOf(network, edges, at, step), toNextCm };
  });
}

/** A driver who merges goes to the other side from that on which the road lies. */
function sideOf(
  network: RoadNetwork,
  edges: Uint32Array,
  at: number,
  step: StepEdges | undefined,
): Place['side'] {
  const { type, modifier = 'straight' } = step?.maneuver ?? {
    type: 'turn',
    modifier: modifierOf(turnAngle(network, edges[at - 1], edges[at])),
  };
  const [left, right] = [modifier.endsWith('left'), modifier.endsWith('right')];
  if (!left && !right) return 'straight';
  return left === (type !== 'merge') ? 'left' : 'right';
}
