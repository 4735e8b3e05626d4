import { createHash } from 'node:crypto';
import { manifestKey } from '#map-data/tiles/manifest.js';
import { nodesOfRefs, type OsmExtract } from '#osm/elements/osm-extract.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import type { Tags } from '#schemas/osm-sink.js';
import type { BuiltTileset } from './built-tileset.js';

export const memoKey = (tilesetId: string): string => `build-memo/tilesets/${tilesetId}.json`;

interface Memo {
  readonly roads: string;
  readonly built: BuiltTileset;
}

/** Numbers and texts that are hashed together. */
const HASHED_AT_ONCE = 16_384;

/** Hash of the input of routing tiles: roads with their nodes, restrictions, and settings. */
export function hashOfRoads(extract: OsmExtract, settings: object): string {
  const { wayIds, wayTags, firstRef, refs, nodeLngE7, nodeLatE7, nodeTags, restrictions } = extract;
  const nodes = nodesOfRefs(extract);
  const places = new Int32Array(2 * refs.length);
  const hash = createHash('sha256');
  // One list in JSON, but written bit by bit: as one text it would be the largest thing of the build.
  let hashed: unknown[] = [settings];
  let opening = '[';
  const flush = (): void => {
    hash.update(opening + JSON.stringify(hashed).slice(1, -1));
    hashed = [];
    opening = ',';
  };
  const add = (tags: Tags): void => {
    hashed.push(tags.size);
    for (const [key, value] of tags) hashed.push(key, value);
    if (hashed.length > HASHED_AT_ONCE) flush();
  };
  for (let i = 0; i < refs.length; i++) {
    const node = nodes[i];
    places[2 * i] = node < 0 ? 0x7fffffff : nodeLngE7[node];
    places[2 * i + 1] = node < 0 ? 0x7fffffff : nodeLatE7[node];
  }
  for (const tags of wayTags) add(tags);
  // Only tags of nodes on roads matter; hashing others too can cause a needless rebuild, but never a wrong
  // tile.
  for (const [id, tags] of nodeTags) {
    hashed.push(id);
    add(tags);
  }
  for (const { id, members, tags } of restrictions) {
    hashed.push(id, members);
    add(tags);
  }
  hashed.push([...extract.directions], [...extract.maneuvers]);
  flush();
  hash.update(']');
  for (const column of [wayIds, firstRef, refs, places])
    hash.update(new Uint8Array(column.buffer, column.byteOffset, column.byteLength));
  return hash.digest('hex').slice(0, 32);
}

export const hasManifest = async (objects: ObjectStore, tilesetId: string): Promise<boolean> =>
  (await objects.get(manifestKey(tilesetId))) !== undefined;

/** The stored tileset, if it was built from these roads and still exists. */
export async function rememberedTileset(
  objects: ObjectStore,
  tilesetId: string,
  roads: string,
): Promise<BuiltTileset | undefined> {
  const bytes = await objects.get(memoKey(tilesetId));
  if (bytes === undefined) return undefined;
  try {
    const memo = JSON.parse(new TextDecoder().decode(bytes)) as Memo;
    if (memo.roads !== roads || memo.built.tilesetId !== tilesetId) return undefined;
    if (!(await hasManifest(objects, tilesetId))) return undefined;
    return { ...memo.built, writtenTiles: 0 };
  } catch {
    // Damaged: the roads are built again.
    return undefined;
  }
}

export const rememberTileset = (objects: ObjectStore, roads: string, built: BuiltTileset): Promise<void> => {
  const memo: Memo = { roads, built: { ...built, writtenTiles: 0 } };
  return objects.put(memoKey(built.tilesetId), new TextEncoder().encode(JSON.stringify(memo)));
};
