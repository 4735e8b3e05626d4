/** The signs at the start of a road. Both are empty if there are none. */
export interface RoadSign {
  /** Road numbers and places in OSRM's layout: `A 5, A 6: Frankfurt, Karlsruhe`, or either of both. */
  readonly destinations: string;
  /** Number of the motorway exit: `37`. */
  readonly exits: string;
}

export const noSign: RoadSign = { destinations: '', exits: '' };

/** Occurs in no name on a map. */
const divider = '\u001f';

/** The encoded form among the names of a network; empty for no sign. */
export const packSign = ({ destinations, exits }: RoadSign): string =>
  exits === '' ? destinations : `${destinations}${divider}${exits}`;

export function unpackSign(text: string): RoadSign {
  if (text === '') return noSign;
  const at = text.indexOf(divider);
  return at < 0
    ? { destinations: text, exits: '' }
    : { destinations: text.slice(0, at), exits: text.slice(at + 1) };
}
