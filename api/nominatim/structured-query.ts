import type { QueryOptions } from '../http/query-options.js';
import type { PlaceFacts } from '../ports/place-finder.js';

/** From the most exact part on. */
export const structuredParts = [
  ...(['amenity', 'street', 'city', 'county', 'state', 'postalcode', 'country'] as const),
];

export interface StructuredQuery {
  /** Empty without any part. */
  readonly text: string;
  readonly accepts: (facts: PlaceFacts) => boolean;
}

/** What the most exact part asks for. */
const sought: Readonly<Record<(typeof structuredParts)[number], (facts: PlaceFacts) => boolean>> = {
  amenity: ({ kind }) => kind === 'poi',
  street: ({ kind }) => kind === 'street' || kind === 'house',
  city: ({ kind, part }) => kind !== 'poi' && (part === 'city' || part === 'district' || part === 'locality'),
  county: ({ part }) => part === 'county',
  state: ({ part }) => part === 'state',
  // The map has no places for postcodes alone.
  postalcode: () => false,
  country: ({ part }) => part === 'country',
};

/**
 * The address in parts as one text, and a filter: the result is what the most exact part asks for, and lies
 * in what the others name.
 */
export function readStructured(options: QueryOptions): StructuredQuery {
  const given = structuredParts.flatMap((part) => {
    const text = options.text(part);
    return text === undefined ? [] : [{ part, text }];
  });
  const [first] = given;
  if (first === undefined) return { text: '', accepts: () => true };
  const around = given.flatMap(({ part, text }) =>
    part === 'amenity' || part === 'street' || part === first.part
      ? []
      : [{ part: part === 'postalcode' ? ('postcode' as const) : part, text }],
  );
  return {
    text: given.map(({ text }) => text).join(', '),
    accepts: (facts) => sought[first.part](facts) && around.every(({ part, text }) => facts.isIn(part, text)),
  };
}
