import type { RoadNetwork } from '../network/road-network.js';
import { modeIndex, type TravelMode } from '../network/travel-mode.js';
import { goesOn, turnAngle } from './maneuver-at.js';
import type { StepStart } from './step-start.js';

/** Carriageways farther apart than this are two roads. */
const APART_M = 40;
/** Each of the two turns, at least. */
const TURN_DEG = 45;
/** From one carriageway onto the other, at least. */
const UTURN_DEG = 150;

/** Two turns from one carriageway of a divided road onto the other are one U-turn. */
export function joinUturns(
  network: RoadNetwork,
  mode: TravelMode,
  edges: Uint32Array,
  starts: readonly StepStart[],
): StepStart[] {
  const joined: StepStart[] = [];
  for (let i = 0; i < starts.length; i++) {
    const [first, second] = [starts[i], starts[i + 1]];
    if (second !== undefined && isUturn(network, mode, edges, first.edge, second.edge)) {
      joined.push({ edge: first.edge, named: second.edge, type: 'continue', modifier: 'uturn' });
      i++;
    } else joined.push(first);
  }
  return joined;
}

/** The first edge of the link between the carriageways, and the one behind the link. */
function isUturn(
  network: RoadNetwork,
  mode: TravelMode,
  edges: Uint32Array,
  link: number,
  end: number,
): boolean {
  if (link === 0) return false;
  const [from, to] = [edges[link - 1], edges[end]];
  if (!goesOn(network, from, to)) return false;
  if (!isOneway(network, mode, from) || !isOneway(network, mode, to)) return false;
  const before = turnAngle(network, from, edges[link]);
  const after = turnAngle(network, edges[end - 1], to);
  if (Math.sign(before) !== Math.sign(after) || Math.min(Math.abs(before), Math.abs(after)) < TURN_DEG)
    return false;
  if (Math.abs(turnAngle(network, from, to)) < UTURN_DEG) return false;
  let acrossM = 0;
  for (let at = link; at < end; at++) acrossM += network.edgeLengthM(edges[at]);
  return acrossM <= APART_M;
}

function isOneway({ arrays, edgeCount }: RoadNetwork, mode: TravelMode, edge: number): boolean {
  const back = arrays.reverse[edge];
  return back < 0 || arrays.speedKph[modeIndex(mode) * edgeCount + back] === 0;
}
