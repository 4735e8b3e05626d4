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
  /** Instructions that the map states for those who come from it. */
  readonly maneuvers: string;
}

/** Occurs in no name on a map. */
const divider = '\u001f';

/** The encoded form among the names of a network; empty if there is nothing. */
export const packSign = ({ sign, lanes, pronunciation, directions, maneuvers }: RoadSigns): string => {
  const { destinations, exits } = sign;
  const parts = [
    ...[destinations, exits, lanes.along, lanes.against],
    ...[pronunciation, directions.along, directions.against, maneuvers],
  ];
  while (parts.at(-1) === '') parts.pop();
  return parts.map((part) => part.replaceAll(divider, ' ')).join(divider);
};

export function unpackSign(text: string): RoadSign {
  if (text === '') return noSign;
  const [destinations = '', exits = ''] = text.split(divider);
  return { destinations, exits };
}

export const unpackPronunciation = (text: string): string => text.split(divider)[4] ?? '';

/** Lines as `statedManeuvers` writes them; empty for none. */
export const unpackManeuvers = (text: string): string => text.split(divider)[7] ?? '';

export const unpackLanes = (text: string): AlongAndAgainst => both(text, 2);
export const unpackDirections = (text: string): AlongAndAgainst => both(text, 5);

function both(text: string, first: number): AlongAndAgainst {
  if (text === '') return noneOfBoth;
  const { [first]: along = '', [first + 1]: against = '' } = text.split(divider);
  return { along, against };
}
