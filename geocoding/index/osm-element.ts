import { valueOfCategory } from './category.js';
import type { GeocodeIndex } from './geocode-index.js';
import { NO_KEY, NOTHING } from './index-file.js';
import { type IdentityKind, identityKey, identityKinds, identityOf } from './place-identity.js';

/** An element of OpenStreetMap. */
export interface OsmElement {
  readonly type: 'node' | 'way' | 'relation';
  readonly id: number;
}

/** The tag that makes an element a place. */
export interface OsmTag {
  readonly key: string;
  readonly value: string;
}

/** A street is its first way. Kinds that are absent are known only from addresses. */
const elementTypes: Partial<Record<IdentityKind, OsmElement['type']>> = {
  node: 'node',
  way: 'way',
  street: 'way',
  relation: 'relation',
};

/**
 * The element of a row: of an area its boundary, of an interpolated house the line or the street. Undefined
 * for what is known only from addresses. Files of older programs have no boundaries; then a town with a
 * boundary is its node.
 */
export function elementOf(index: GeocodeIndex, row: number): OsmElement | undefined {
  const area = index.areaOf(row);
  const relation = area === undefined ? undefined : index.data.areaRelation[area];
  if (relation !== undefined) return { type: 'relation', id: relation };
  const { kind, id } = identityOf(index.data.key[row]!);
  const type = elementTypes[identityKinds[kind]!];
  return type === undefined ? undefined : { type, id };
}

/** The row of an element: the place rather than its address, and the street that a way belongs to. */
export function rowOfElement(index: GeocodeIndex, { type, id }: OsmElement): number | undefined {
  const [row] = index.rowsOf(identityKey(type, id));
  if (row !== undefined) return row;
  if (type === 'way') {
    const street = index.streetOfWay(id);
    return street === NOTHING ? undefined : street;
  }
  const area = type === 'relation' ? index.data.areaRelation.indexOf(id) : -1;
  return area < 0 ? undefined : index.data.areaRow[area];
}

/**
 * The main tag of a row as this element: a town is its boundary or its node. An address has none of its own
 * and is `place=house`, as Nominatim has it. Undefined for what is known only from addresses, and for points
 * of interest in files of older programs.
 */
export function tagOf(
  index: GeocodeIndex,
  row: number,
  element: OsmElement | undefined = elementOf(index, row),
): OsmTag | undefined {
  if (index.isHouse(row)) return { key: 'place', value: 'house' };
  if (element === undefined) return undefined;
  if (index.isArea(row) && element.type === 'relation') return { key: 'boundary', value: 'administrative' };
  const [kind, category] = [index.kind(row), index.category(row)];
  if (kind === 'street') return { key: 'highway', value: category };
  if (kind !== 'poi') return { key: 'place', value: category };
  const number = index.data.tagKey[row] ?? NO_KEY;
  const key = number === NO_KEY ? undefined : index.head.tagKeys?.[number];
  return key === undefined ? undefined : { key, value: valueOfCategory(key, category) };
}

/** Whether the file has the keys of tags. Files of older programs do not. */
export const hasTagKeys = ({ head }: GeocodeIndex): boolean => head.tagKeys !== undefined;
