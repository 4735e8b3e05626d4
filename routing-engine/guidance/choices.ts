import type { RoadNetwork } from '../network/road-network.js';
import { modeIndex, type TravelMode } from '../network/travel-mode.js';
import { isSameGround } from './road-likeness.js';
import { arrivingCourse, leavingCourse, turned } from './turn-angle.js';

/** From one edge to another over a crossing. */
export interface Passage {
  readonly from: number;
  readonly to: number;
  /** Edges between the carriageways of divided roads that cross here, in order; mostly none. */
  readonly within: Uint32Array;
}

/** What a driver could do instead. */
export interface Choice {
  readonly edge: number;
  readonly angle: number;
}

/** Roads that the driver could take, U-turns excluded. A road that is on the map twice is one. */
export function choicesAt(network: RoadNetwork, mode: TravelMode, { from, to, within }: Passage): Choice[] {
  const { head, tail, firstOut, copyOf, speedKph, reverse } = network.arrays;
  const offset = modeIndex(mode) * network.edgeCount;
  const choices: Choice[] = [];
  const course = arrivingCourse(network, mode, from);
  for (let i = 0; i <= within.length; i++) {
    const before = i === 0 ? from : within[i - 1];
    const taken = copyOf[i < within.length ? within[i] : to];
    const node = head[before];
    const staysOnGround = isSameGround(network, before, taken);
    for (let edge = firstOut[node]; edge < firstOut[node + 1]; edge++) {
      if (copyOf[edge] !== edge || edge === taken || edge === reverse[before]) continue;
      if (staysOnGround && isSameGround(network, edge, taken)) continue;
      if (
        isTwin(network, edge, taken) ||
        (head[edge] === tail[before] && isTwin(network, edge, reverse[before]))
      )
        continue;
      if (speedKph[offset + edge] > 0)
        choices.push({ edge, angle: turned(course, leavingCourse(network, mode, edge)) });
    }
  }
  return choices;
}

/** Both lead from the same node to the same node along the same line. */
export const isTwin = (
  { arrays: { head, bearingOut, bearingIn, lengthCm } }: RoadNetwork,
  a: number,
  b: number,
): boolean =>
  b >= 0 &&
  head[a] === head[b] &&
  bearingOut[a] === bearingOut[b] &&
  bearingIn[a] === bearingIn[b] &&
  lengthCm[a] === lengthCm[b];

export const straightestOf = (choices: readonly Choice[]): number =>
  choices.reduce((least, { angle }) => (Math.abs(angle) < Math.abs(least) ? angle : least), 180);
