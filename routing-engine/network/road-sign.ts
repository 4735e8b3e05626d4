/** The signs at the start of a road. Both are empty if there are none. */
export interface RoadSign {
  /** Road numbers and places in OSRM's layout: `A 5, A 6: Frankfurt, Karlsruhe`, or either of both. */
  readonly destinations: string;
  /** Number of the motorway exit: `37`. */
  readonly exits: string;
}

export const noSign: RoadSign = { destinations: '', exits: '' };

/**
 * The lanes of a road before the crossing at its end, by direction of travel: along the drawn direction of
 * its way, and against it. From left to right, separated by `|`; each lane has OpenStreetMap's words for
 * where it leads, separated by `;`. Empty where they are not known.
 */
export interface RoadLanes {
  readonly along: string;
  readonly against: string;
}

export const noLanes: RoadLanes = { along: '', against: '' };

/** Occurs in no name on a map. */
const divider = '\u001f';

/** The encoded form among the names of a network; empty for no sign, no lanes and no pronunciation. */
export const packSign = (
  { destinations, exits }: RoadSign,
  { along, against }: RoadLanes,
  pronunciation: string,
): string => {
  const parts = [destinations, exits, along, against, pronunciation];
  while (parts.at(-1) === '') parts.pop();
  return parts.map((part) => part.replaceAll(divider, ' ')).join(divider);
};

export function unpackSign(text: string): RoadSign {
  if (text === '') return noSign;
  const [destinations = '', exits = ''] = text.split(divider);
  return { destinations, exits };
}

/** How the name of a road is said; empty if the map does not say. */
export const unpackPronunciation = (text: string): string => text.split(divider)[4] ?? '';

export function unpackLanes(text: string): RoadLanes {
  if (text === '') return noLanes;
  const [, , along = '', against = ''] = text.split(divider);
  return { along, against };
}
