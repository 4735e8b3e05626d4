import { toUSVString } from 'node:util';
import type { Tags } from '#schemas/osm-sink.js';
import { mapTileLimits } from '../../format/limits.js';
import type { Attribute } from '../../format/map-feature.js';

export const attribute = (key: string, value: Attribute['value'], fromZoom = 0): Attribute => ({
  key,
  // Half a surrogate pair has no encoding of its own: two such texts would differ here but not in a tile.
  value: typeof value === 'string' ? toUSVString(value) : value,
  fromZoom,
});

/** The name in the place's own language and, where it differs, in English. */
export function nameAttributes(tags: Tags, fromZoom = 0): Attribute[] {
  const name = shortened(tags.get('name'));
  const english = shortened(tags.get('name:en'));
  const found: Attribute[] = [];
  if (name !== undefined) found.push(attribute('name', name, fromZoom));
  if (english !== undefined && english !== name) found.push(attribute('name_en', english, fromZoom));
  return found;
}

export function shortened(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  // By characters, so that no pair of surrogates is cut in two.
  return text.length <= mapTileLimits.nameLengthMax
    ? text
    : Array.from(text).slice(0, mapTileLimits.nameLengthMax).join('');
}
