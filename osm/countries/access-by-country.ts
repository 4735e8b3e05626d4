import type { TravelMode } from '#routing-engine/network/travel-mode.js';
import type { Country } from './country-at.js';

interface Exceptions {
  /** Countries that open a class of road to the mode, or close it, other than most do. */
  readonly open: Readonly<Record<string, readonly string[]>>;
  readonly closed: Readonly<Record<string, readonly string[]>>;
}

/** Where a road like a motorway is for motor vehicles only, without `motorroad=yes`. */
const trunkClosed = ['AT', 'BE', 'CH', 'DK', 'FR', 'HU', 'SK'];

/** https://wiki.openstreetmap.org/wiki/OSM_tags_for_routing/Access_restrictions */
const exceptions: Readonly<Record<TravelMode, Exceptions>> = {
  driving: { open: {}, closed: {} },
  truck: { open: {}, closed: {} },
  bicycling: {
    open: {
      footway: ['AU', 'BY', 'IS', 'NO'],
      pedestrian: ['BE', 'BY', 'CN', 'ES', 'FI', 'FR', 'IS', 'IT', 'NO', 'PH', 'SE', 'TH', 'US'],
      bridleway: ['BR', 'GB', 'GR', 'IE', 'OM', 'PH', 'PL', 'RO', 'TH', 'US'],
    },
    closed: { trunk: trunkClosed, trunk_link: trunkClosed, path: ['AT'] },
  },
  walking: {
    open: {},
    closed: {
      cycleway: ['AT', 'AU', 'BR', 'CN', 'DE', 'ES', 'FR', 'IE', 'IT', 'RO', 'RU', 'SK', 'UA'],
      bridleway: [
        ...['AT', 'AU', 'BY', 'CH', 'CN', 'DE', 'DK', 'ES', 'FI', 'FR', 'HU', 'IS', 'IT', 'NL', 'NO'],
        ...['RU', 'SK', 'UA'],
      ],
    },
  },
};

/** Whether a country opens or closes a class of road to a mode; undefined: as everywhere. */
export function accessByCountry(
  mode: TravelMode,
  highway: string,
  country: Country | undefined,
): boolean | undefined {
  if (country === undefined) return undefined;
  const { open, closed } = exceptions[mode];
  if (open[highway]?.includes(country.code) === true) return true;
  return closed[highway]?.includes(country.code) === true ? false : undefined;
}
