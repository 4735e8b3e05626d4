import type { QueryOptions } from '../http/query-options.js';
import type { PlaceFacts, PlaceFinder } from '../ports/place-finder.js';
import * as messages from './messages.js';

const layers = ['address', 'poi', 'railway', 'natural', 'manmade'] as const;
type Layer = (typeof layers)[number];

/** Keys of tags whose places are not the layer `poi`. */
const layerOfKey: Readonly<Record<string, Layer>> = {
  railway: 'railway',
  natural: 'natural',
  man_made: 'manmade',
  building: 'manmade',
};

const layerOf = ({ kind, tag }: PlaceFacts): Layer =>
  kind === 'poi' ? (layerOfKey[tag?.key ?? ''] ?? 'poi') : 'address';

export type Accepts = (facts: PlaceFacts) => boolean;

/** The filter of the option `layer`; `otherwise` are the layers without it. */
export function readLayers(
  options: QueryOptions,
  { hasTags }: PlaceFinder,
  otherwise: readonly Layer[] = layers,
): Accepts {
  const text = options.text('layer');
  if (text === undefined) return (facts) => otherwise.includes(layerOf(facts));
  const asked = text.split(',').map((word) => word.trim().toLowerCase());
  const chosen = layers.filter((layer) => asked.includes(layer));
  if (!asked.every((word) => layers.some((layer) => layer === word)))
    options.refuse(messages.notListOf('layer', layers));
  const isAddress = chosen.every((layer) => layer === 'address');
  if (!hasTags && !isAddress && chosen.length < layers.length) options.refuse(messages.noTags);
  return (facts) => chosen.includes(layerOf(facts));
}
