import { distanceM } from '#routing-engine/network/earth.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { HiddenClosure } from '#simulated-city/world.js';

/** Nearer closures hide each other: drivers who turn back at one never come to the next. */
const apartM = 60;

/** Whether no other road within `apartM` was closed while this one had to be found. */
export function isApart(
  network: RoadNetwork,
  one: HiddenClosure,
  closures: readonly HiddenClosure[],
  foundWithinMs: number,
): boolean {
  const ends = endsOf(network, one);
  return closures.every((other) => {
    if (other === one || other.closedMs >= one.closedMs + foundWithinMs || other.opensMs <= one.closedMs)
      return true;
    return endsOf(network, other).every(([lng, lat]) =>
      ends.every(([lng1, lat1]) => distanceM(lng, lat, lng1, lat1) > apartM),
    );
  });
}

function endsOf(network: RoadNetwork, { edges }: HiddenClosure): (readonly [lng: number, lat: number])[] {
  return edges.flatMap((edge) => {
    const shape = network.edgeGeometry(edge);
    return [
      [shape[0]!, shape[1]!],
      [shape.at(-2)!, shape.at(-1)!],
    ] as const;
  });
}
