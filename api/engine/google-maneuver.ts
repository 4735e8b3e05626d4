import type { Maneuver } from '#routing-engine/guidance/guide.js';

const turns: Readonly<Record<NonNullable<Maneuver['modifier']>, string>> = {
  uturn: 'uturn-left',
  'sharp right': 'turn-sharp-right',
  right: 'turn-right',
  'slight right': 'turn-slight-right',
  straight: 'straight',
  'slight left': 'turn-slight-left',
  left: 'turn-left',
  'sharp left': 'turn-sharp-left',
};

/** Google's word for a maneuver; undefined where it has none, as for the departure. */
export function googleManeuver(
  { type, modifier }: Maneuver,
  drivingSide: 'left' | 'right',
): string | undefined {
  const side = modifier?.includes('left') ? 'left' : modifier?.includes('right') ? 'right' : undefined;
  switch (type) {
    case 'depart':
    case 'arrive':
    case 'notification':
    case 'new name':
      return undefined;
    case 'roundabout':
    case 'rotary':
    case 'roundabout turn':
    case 'exit roundabout':
    case 'exit rotary':
      // Traffic that keeps right goes round to the right of the island.
      return `roundabout-${drivingSide}`;
    case 'merge':
      return 'merge';
    case 'on ramp':
    case 'off ramp':
      return side === undefined ? undefined : `ramp-${side}`;
    case 'fork':
      return side === undefined ? undefined : `fork-${side}`;
    case 'continue':
      return modifier === 'straight' || modifier === undefined ? 'straight' : turns[modifier];
    case 'turn':
    case 'end of road':
      if (modifier === 'uturn') return drivingSide === 'right' ? 'uturn-left' : 'uturn-right';
      return modifier === undefined ? undefined : turns[modifier];
  }
}
