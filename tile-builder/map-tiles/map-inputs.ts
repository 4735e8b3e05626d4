import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { type BlockEntry, blockKey, type MapManifest, mapInputsKey } from './map-manifest.js';
import { CorruptMapTiles, MapTiles } from './open-map-tiles.js';
import { TileBlock, type TileKind } from './tile-block.js';
import { drawingVersion, type TileKeys } from './tile-keys.js';

/** Of a map: by name of each block what its tiles are made of. A build takes over what is made of the same. */
type MapInputs = ReadonlyMap<string, TileKeys>;

interface Plain {
  readonly format: 'meridian-map-inputs';
  readonly drawingVersion: number;
  /** Base64 of number, key, key as 32-bit integers, tile by tile. */
  readonly blocks: Readonly<Record<string, string>>;
}

/** Beside the manifest; nothing but a build reads it, and a map is whole without it. */
export async function putMapInputs(objects: ObjectStore, mapId: string, inputs: MapInputs): Promise<void> {
  const blocks: Record<string, string> = {};
  for (const [name, keys] of inputs) {
    const rows = Uint32Array.from([...keys].flatMap(([number, key]) => [number, ...key]));
    blocks[name] = Buffer.from(rows.buffer).toString('base64');
  }
  const plain: Plain = { format: 'meridian-map-inputs', drawingVersion, blocks };
  const gzip = gzipSync(JSON.stringify(plain));
  gzip[9] = 255;
  await objects.put(mapInputsKey(mapId), gzip);
}

async function readMapInputs(objects: ObjectStore, mapId: string): Promise<MapInputs | undefined> {
  const bytes = await objects.get(mapInputsKey(mapId));
  if (bytes === undefined) return undefined;
  try {
    const plain = JSON.parse(gunzipSync(bytes).toString()) as Plain;
    if (plain.format !== 'meridian-map-inputs' || plain.drawingVersion !== drawingVersion) return undefined;
    return new Map(Object.entries(plain.blocks).map(([name, text]) => [name, keysOf(text)]));
  } catch {
    // Damaged: then everything is drawn, as at the first time.
    return undefined;
  }
}

function keysOf(text: string): TileKeys {
  const bytes = Uint8Array.from(Buffer.from(text, 'base64'));
  const rows = new Uint32Array(bytes.buffer, 0, Math.floor(bytes.length / 4));
  const keys = new Map<number, readonly [number, number]>();
  for (let i = 0; i + 2 < rows.length; i += 3) keys.set(rows[i]!, [rows[i + 1]!, rows[i + 2]!]);
  return keys;
}

export interface EarlierBlock {
  readonly keys: TileKeys;
  readonly entries: Readonly<Partial<Record<TileKind, BlockEntry>>>;
  /** Its tiles; undefined where it has none of the kind. Throws when the object is not what the manifest names. */
  open(kind: TileKind): Promise<TileBlock | undefined>;
}

/** The map that is replaced, as far as a build may take tiles of it over. */
export class EarlierMap {
  readonly manifest: MapManifest;
  readonly #objects: ObjectStore;
  readonly #inputs: MapInputs;
  readonly #entries: Readonly<Record<TileKind, ReadonlyMap<string, BlockEntry>>>;

  private constructor(objects: ObjectStore, manifest: MapManifest, inputs: MapInputs) {
    this.#objects = objects;
    this.manifest = manifest;
    this.#inputs = inputs;
    const byName = (blocks: readonly BlockEntry[]): ReadonlyMap<string, BlockEntry> =>
      new Map(blocks.map((block) => [block.name, block]));
    this.#entries = { vector: byName(manifest.vector.blocks), png: byName(manifest.png.blocks) };
  }

  /** Undefined when there is none, or when it says nothing of what it was made of. */
  static async open(objects: ObjectStore, mapId: string): Promise<EarlierMap | undefined> {
    const inputs = await readMapInputs(objects, mapId);
    const map = inputs && (await MapTiles.open(objects, mapId).catch(unreadable));
    return map === undefined || inputs === undefined
      ? undefined
      : new EarlierMap(objects, map.manifest, inputs);
  }

  block(name: string): EarlierBlock | undefined {
    const keys = this.#inputs.get(name);
    if (keys === undefined) return undefined;
    const entries = {
      ...withEntry('vector', this.#entries.vector.get(name)),
      ...withEntry('png', this.#entries.png.get(name)),
    };
    return {
      keys,
      entries,
      open: async (kind) => {
        const entry = entries[kind];
        if (entry === undefined) return undefined;
        const bytes = await this.#objects.get(blockKey(entry.sha256));
        if (bytes === undefined || sha256Of(bytes) !== entry.sha256)
          throw new CorruptMapTiles(`block ${entry.sha256} is missing or changed`);
        return TileBlock.from(kind, bytes);
      },
    };
  }
}

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

function unreadable(error: unknown): undefined {
  if (!(error instanceof CorruptMapTiles)) throw error;
}

const withEntry = (kind: TileKind, entry: BlockEntry | undefined) =>
  entry === undefined ? {} : { [kind]: entry };
