import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { TravelMode } from '#routing-engine/network/travel-mode.js';
import type { EdgeChange } from '#routing-engine/overlay/metric.js';
import { randomEnds } from './random-ends.js';

/** One random live change: sometimes a closure, otherwise any speed. */
export function randomChange(network: RoadNetwork, mode: TravelMode, random: () => number): EdgeChange {
  const { edge } = randomEnds(network, mode, random).any();
  return random() < 0.3 ? { edge, closed: true } : { edge, speedKph: 1 + Math.floor(random() * 130) };
}
