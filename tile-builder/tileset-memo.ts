import { createHash } from 'node:crypto';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import type { BuiltTileset } from './built-tileset.js';
import { nodeIndex, type OsmExtract } from './osm/osm-extract.js';
import type { Tags } from './osm/osm-sink.js';
import { manifestKey } from './tiles/manifest.js';

/** Raised whenever the same roads make other tiles: then nothing that was remembered holds. */
const buildVersion = 1;

const memoKey = (roads: string): string => `build-memo/roads/${roads}.json`;

/** Hash of all that routing tiles are made of: roads with the nodes that they use, restrictions, and how they are cut. */
export function hashOfRoads(extract: OsmExtract, settings: object): string {
  const { wayIds, wayTags, firstRef, refs, nodeLngE7, nodeLatE7, nodeTags, restrictions } = extract;
  const places = new Int32Array(2 * refs.length);
  const tagged = new Set<number>();
  for (let i = 0; i < refs.length; i++) {
    const at = nodeIndex(extract, refs[i]!);
    places[2 * i] = at < 0 ? 0x7fffffff : nodeLngE7[at]!;
    places[2 * i + 1] = at < 0 ? 0x7fffffff : nodeLatE7[at]!;
    if (nodeTags.has(refs[i]!)) tagged.add(refs[i]!);
  }
  const hash = createHash('sha256').update(JSON.stringify({ buildVersion, settings }));
  for (const column of [wayIds, firstRef, refs, places])
    hash.update(new Uint8Array(column.buffer, column.byteOffset, column.byteLength));
  for (const tags of wayTags) hash.update(textOf(tags));
  for (const id of [...tagged].toSorted((a, b) => a - b)) hash.update(`${id}${textOf(nodeTags.get(id)!)}`);
  for (const { id, members, tags } of restrictions)
    hash.update(`${id}${JSON.stringify(members)}${textOf(tags)}`);
  return hash.digest('hex').slice(0, 32);
}

const textOf = (tags: Tags): string => `${JSON.stringify([...tags])}\n`;

/** What these roads were built to before, if it is in the store still. */
export async function rememberedTileset(
  objects: ObjectStore,
  roads: string,
): Promise<BuiltTileset | undefined> {
  const bytes = await objects.get(memoKey(roads));
  if (bytes === undefined) return undefined;
  try {
    const built = JSON.parse(new TextDecoder().decode(bytes)) as BuiltTileset;
    return (await objects.get(manifestKey(built.tilesetId))) === undefined ? undefined : built;
  } catch {
    // Damaged: the roads are built again.
    return undefined;
  }
}

export const rememberTileset = (objects: ObjectStore, roads: string, built: BuiltTileset): Promise<void> =>
  objects.put(memoKey(roads), new TextEncoder().encode(JSON.stringify(built)));
