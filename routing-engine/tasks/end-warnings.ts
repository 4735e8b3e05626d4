import { type AvoidMask, avoidedNames } from '../network/edge-flags.js';
import type { TravelMode } from '../network/travel-mode.js';
import type { UsedEnd } from '../route/find-near.js';

/** A warning is given if the nearest road is farther away than this. */
const FAR_M = 100;

const travellers = {
  driving: 'cars',
  bicycling: 'bicycles',
  walking: 'people on foot',
  truck: 'trucks',
} as const satisfies Record<TravelMode, string>;

/** Sentences about ends that are far from the requested places. */
export function endWarnings(
  { origin, destination }: { readonly origin: UsedEnd; readonly destination: UsedEnd },
  mode: TravelMode,
  avoid: AvoidMask,
): string[] {
  const road = `no road for ${travellers[mode]}${without(avoid, mode)}`;
  return [
    ...(isAway(origin)
      ? [`Your route begins ${metres(origin)} from your starting point: ${road} begins closer.`]
      : []),
    ...(isAway(destination)
      ? [`Your route ends ${metres(destination)} from your destination: ${road} leads closer.`]
      : []),
  ];
}

const isAway = ({ isMoved, distanceM }: UsedEnd): boolean => isMoved || distanceM > FAR_M;
const metres = ({ distanceM }: UsedEnd): string => `${Math.round(distanceM)} m`;

function without(avoid: AvoidMask, mode: TravelMode): string {
  const names = avoidedNames(avoid, mode);
  return names.length === 0 ? '' : ` without ${names.join(' or ')}`;
}
