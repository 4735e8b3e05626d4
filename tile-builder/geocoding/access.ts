import type { RoadNetwork } from '#routing-engine/road-network.js';
import { type Snap, snap } from '#routing-engine/snap.js';
import { type TravelMode, travelModes } from '#routing-engine/travel-mode.js';
import { streetName } from './gather-streets.js';

/** No road of a mode lies within reach. */
export const NO_EDGE = 0xffffffff;
export const accessSides = ['on', 'left', 'right'] as const;
/** Steps of an offset along an edge. */
export const OFFSET_STEPS = 65_535;

const reachM = 1_000;
/** A road of the address's own name is preferred as long as it is not this much farther than the nearest. */
const detourM = 80;
const piecesLooked = 12;

/** Where each mode leaves the road for a place, in the order of `travelModes`; undefined without a road in reach. */
export function accessesTo(
  network: RoadNetwork,
  lngE7: number,
  latE7: number,
  streetNames: ReadonlySet<string>,
): (Snap | undefined)[] {
  return travelModes.map((mode) =>
    accessBy(network, mode, { lng: lngE7 / 1e7, lat: latE7 / 1e7 }, streetNames),
  );
}

function accessBy(
  network: RoadNetwork,
  mode: TravelMode,
  point: { readonly lng: number; readonly lat: number },
  streetNames: ReadonlySet<string>,
): Snap | undefined {
  const near = snap(network, point, { mode, maxMeters: reachM, limit: 1 })[0];
  if (near === undefined || streetNames.size === 0 || bears(network, near, streetNames)) return near;
  const farthest = near.distanceM + detourM;
  return (
    snap(network, point, { mode, maxMeters: farthest, limit: piecesLooked }).find((each) =>
      bears(network, each, streetNames),
    ) ?? near
  );
}

const bears = (network: RoadNetwork, { edge }: Snap, names: ReadonlySet<string>): boolean =>
  names.has(streetName(network.edgeName(edge)));
