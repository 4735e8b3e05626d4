import type { FoldName } from '../gazetteer/fold-name.js';
import type { Place } from '../gazetteer/gazetteer.js';
import { type AddressedHouse, housesOf, type StreetOfMember, streetAskedOf } from './extract-houses.js';
import { type Located, placeOf } from './extract-places.js';

/** The place, houses and country that one element describes. */
export interface ExtractedFeature {
  readonly place: Place | undefined;
  readonly houses: readonly AddressedHouse[];
  /** ISO code in its address, upper case; may be empty. */
  readonly country: string;
  /** For a house whose street comes from a relation: the requested member, and the street of the answer. */
  readonly member: { readonly key: number; readonly street: string | undefined } | undefined;
}

/** Undefined if the element describes nothing. */
export function extractFeature(
  element: Located,
  streetOf: StreetOfMember,
  fold: FoldName,
): ExtractedFeature | undefined {
  const place = placeOf(element);
  const houses = housesOf(element, streetOf, fold);
  const country = element.tags.get('addr:country') ?? '';
  const asked = streetAskedOf(element);
  if (place === undefined && houses.length === 0 && country === '' && asked === undefined) return undefined;
  return {
    place,
    houses,
    country: country !== '' && /^[A-Za-z]{2}$/.test(country) ? country.toUpperCase() : '',
    member: asked === undefined ? undefined : { key: asked, street: streetOf.get(asked) },
  };
}
