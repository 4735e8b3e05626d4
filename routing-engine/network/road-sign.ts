/** The signs at the start of a road. Both are empty if there are none. */
export interface RoadSign {
  /** Road numbers and places in OSRM's layout: `A 5, A 6: Frankfurt, Karlsruhe`, or either of both. */
  readonly destinations: string;
  /** Number of the motorway exit: `37`. */
  readonly exits: string;
}

export const noSign: RoadSign = { destinations: '', exits: '' };

/**
 * A text for each direction of travel over a road: along the drawn direction of its way, and against it.
 * Empty where it is not known.
 */
export interface AlongAndAgainst {
  readonly along: string;
  readonly against: string;
}

export const noneOfBoth: AlongAndAgainst = { along: '', against: '' };

/** What signs say of a road, other than its name and number. */
export interface RoadSigns {
  readonly sign: RoadSign;
  /**
   * The lanes before the crossing at its end, from left to right, separated by `|`; each lane has
   * OpenStreetMap's words for where it leads, separated by `;`.
   */
  readonly lanes: AlongAndAgainst;
  /** How the name is said, as on the map. */
  readonly pronunciation: string;
  /** `west` and the like for each of its numbers, separated by `;`. */
  readonly directions: AlongAndAgainst;
  /** Instructions that the map states for those who come from it: lines as `statedManeuvers` writes them. */
  readonly maneuvers: string;
  /** Percent uphill along the drawn direction of its way, a decimal number; empty if not known. */
  readonly slope: string;
}

export const noSigns: RoadSigns = {
  sign: noSign,
  lanes: noneOfBoth,
  pronunciation: '',
  directions: noneOfBoth,
  maneuvers: '',
  slope: '',
};

/** Occurs in no name on a map. */
const divider = '\u001f';

/** The encoded form among the names of a network; empty if there is nothing. */
export const packSign = ({ sign, lanes, pronunciation, directions, maneuvers, slope }: RoadSigns): string => {
  const { destinations, exits } = sign;
  const parts = [
    ...[destinations, exits, lanes.along, lanes.against],
    ...[pronunciation, directions.along, directions.against, maneuvers, slope],
  ];
  while (parts.at(-1) === '') parts.pop();
  return parts.map((part) => part.replaceAll(divider, ' ')).join(divider);
};

export function unpackSigns(text: string): RoadSigns {
  const [destinations = '', exits = '', along = '', against = '', pronunciation = '', ...rest] =
    text.split(divider);
  const [directionsAlong = '', directionsAgainst = '', maneuvers = '', slope = ''] = rest;
  return {
    sign: { destinations, exits },
    lanes: { along, against },
    pronunciation,
    directions: { along: directionsAlong, against: directionsAgainst },
    maneuvers,
    slope,
  };
}
