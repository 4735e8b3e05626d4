import type { RoadNetwork } from '../network/road-network.js';
import { modifierOf } from './maneuver-modifier.js';
import { goesOn, hasName, sameName } from './road-likeness.js';
import type { StepStart } from './step-start.js';
import { turnAngle } from './turn-angle.js';

/** Two maneuvers this near to each other are one for a driver. */
const NEAR_CM = 3_000;
/** A crossing with an offset of up to this much is crossed straight on. */
const OFFSET_CM = 300;
/** A road that has another name for so short a stretch, such as a bridge, keeps its name. */
const RENAMED_CM = 10_500;
/** Beyond, a driver who turns twice to the same side has turned round. */
const UTURN_DEG = 150;
const STRAIGHT_DEG = 40;

/** Says once what a driver does at once. */
export function joinNearSteps(
  network: RoadNetwork,
  edges: Uint32Array,
  starts: readonly StepStart[],
): StepStart[] {
  const joined: StepStart[] = [];
  for (let i = 0; i < starts.length; i++) {
    const second = starts[i + 1];
    const first = named(network, edges, starts[i], second?.edge ?? edges.length);
    const both =
      second === undefined || first.edge === 0
        ? undefined
        : together(network, edges, first, second, starts[i + 2]?.edge ?? edges.length);
    if (both === undefined) joined.push(first);
    else {
      if (both !== 'nothing') joined.push(both);
      i++;
    }
  }
  return joined;
}

/** A turn into a road whose name begins a few metres on is a turn into the road of that name. */
function named(network: RoadNetwork, edges: Uint32Array, start: StepStart, end: number): StepStart {
  if (!turns.has(start.type) || hasName(network, edges[start.named])) return start;
  let cm = 0;
  for (let at = start.named; at < end; at++) {
    if (hasName(network, edges[at])) {
      const isSame = start.type === 'turn' && goesOn(network, edges[start.edge - 1], edges[at]);
      const behind = start.behind ?? start.named;
      return { ...start, named: at, behind, type: isSame ? 'continue' : start.type };
    }
    cm += network.arrays.lengthCm[edges[at]];
    if (cm > NEAR_CM) return start;
  }
  return start;
}

function together(
  network: RoadNetwork,
  edges: Uint32Array,
  first: StepStart,
  second: StepStart,
  end: number,
): StepStart | 'nothing' | undefined {
  const cm = lengthBetween(network, edges, first.edge, second.edge);
  if (cm > RENAMED_CM) return undefined;
  const [from, to] = [edges[first.edge - 1], edges[second.named]];
  if (first.type === 'new name' && second.type === 'new name' && sameName(network, from, to))
    return 'nothing';
  if (cm > NEAR_CM || !turns.has(first.type)) return undefined;
  const [one, other] = [sideOf(first), sideOf(second)];
  const angle = turnAngle(network, from, to);
  const through = { edge: first.edge, named: second.named };
  if (second.type === 'new name')
    return first.type === 'fork' ||
      goesOn(network, from, to) ||
      lengthBetween(network, edges, second.edge, end) <= cm
      ? undefined
      : {
          ...first,
          named: second.named,
          behind: first.behind ?? first.named,
          type: first.type === 'continue' ? 'turn' : first.type,
        };
  if (!turns.has(second.type) || one === 'straight' || other === 'straight') return undefined;
  if (one !== other) {
    const isStreet = hasName(network, from) && hasName(network, to);
    if (cm > OFFSET_CM || Math.abs(angle) >= STRAIGHT_DEG || !isStreet) return undefined;
    return sameName(network, from, to)
      ? 'nothing'
      : { ...through, type: 'new name', modifier: modifierOf(angle) };
  }
  const type = goesOn(network, from, to) ? 'continue' : 'turn';
  if (goesOn(network, from, to) && Math.abs(angle) >= UTURN_DEG)
    return { ...through, type, modifier: 'uturn' };
  const keeps = first.type === 'fork' || first.type === 'continue';
  return keeps && second.type === 'end of road' && sideOf({ modifier: modifierOf(angle) }) === one
    ? { ...through, type, modifier: modifierOf(angle) }
    : undefined;
}

const turns: ReadonlySet<string> = new Set(['turn', 'continue', 'fork', 'end of road']);

const sideOf = ({ modifier }: Pick<StepStart, 'modifier'>): 'left' | 'right' | 'straight' =>
  modifier?.endsWith('left') === true ? 'left' : modifier?.endsWith('right') === true ? 'right' : 'straight';

function lengthBetween({ arrays }: RoadNetwork, edges: Uint32Array, from: number, to: number): number {
  let cm = 0;
  for (let at = from; at < to; at++) cm += arrays.lengthCm[edges[at]];
  return cm;
}
