import { isAtHours } from '#routing-engine/network/at-hours.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { modeIndex, type TravelMode } from '#routing-engine/network/travel-mode.js';
import type { RouteEnd } from '#routing-engine/search/route-end.js';

/**
 * Draws random places on roads that the mode may use at any hour. Every traveller may use `open` roads. The
 * others (private, for customers …) are only for travellers who begin or end there, so each of them needs a
 * separate run of the oracle.
 */
export function randomEnds(network: RoadNetwork, mode: TravelMode, random: () => number) {
  const { speedKph, zone, copyOf } = network.arrays;
  const offset = modeIndex(mode) * network.edgeCount;
  const draw = (fits: (zone: number) => boolean): RouteEnd | undefined => {
    for (let tries = 0; tries < 1_000_000; tries++) {
      const edge = Math.floor(random() * network.edgeCount);
      const isOpen = speedKph[offset + edge]! > 0 && !isAtHours(network, edge, mode);
      if (isOpen && copyOf[edge] === edge && fits(zone[offset + edge]!))
        return { edge, fraction: Math.round(random() * 100) / 100 };
    }
    return undefined;
  };
  return {
    any: (): RouteEnd => orThrow(draw(() => true)),
    open: (): RouteEnd => orThrow(draw((zoneOf) => zoneOf === 0)),
    /** Undefined where the map has no such roads. */
    private: (): RouteEnd | undefined => draw((zoneOf) => zoneOf !== 0),
  };
}

function orThrow(end: RouteEnd | undefined): RouteEnd {
  if (end === undefined) throw new Error('the map has no road for this mode');
  return end;
}
