export const placeKinds = ['settlement', 'suburb', 'street', 'poi', 'house', 'region', 'country'] as const;
export type PlaceKind = (typeof placeKinds)[number];

/** Kinds of identities; the index in the list is part of the key. */
export const identityKinds = [
  'node',
  'way',
  'relation',
  'street',
  'addressNode',
  'addressWay',
  'addressTown',
] as const;
export type IdentityKind = (typeof identityKinds)[number];

/** One number for an element of OpenStreetMap, or for the street that is named by its smallest way. */
export const identityKey = (kind: IdentityKind, id: number): number => id * 8 + identityKinds.indexOf(kind);

/** The parts of a key; `kind` is the index in `identityKinds`. */
export function identityOf(key: number): { readonly kind: number; readonly id: number } {
  const id = Math.floor(key / 8);
  return { kind: key - 8 * id, id };
}
