import { createHash } from 'node:crypto';
import type { Box } from '#osm/polygons/ring-geometry.js';

/** One object that holds tiles. */
export interface BlockEntry {
  /** `blockName` of its tiles. */
  readonly name: string;
  /** Of the object, hexadecimal; its key is made of it. */
  readonly sha256: string;
  readonly bytes: number;
  readonly tiles: number;
}

/** The map tiles of one extract; `map-tiles/<id>/manifest.json`. */
export interface MapManifest {
  readonly format: 'meridian-map-tiles';
  readonly version: 1;
  readonly mapId: string;
  readonly attribution: string;
  /** west, south, east, north of the extract in degrees. */
  readonly bounds: Box;
  /** Whether low zooms show the whole world. */
  readonly world: boolean;
  readonly vector: { readonly zoomMax: number; readonly blocks: readonly BlockEntry[] };
  /** Prepared PNG tiles; others are rendered from the vector tile on demand. */
  readonly png: { readonly zoomMax: number; readonly blocks: readonly BlockEntry[] };
}

const prefix = 'map-tiles';

export const mapManifestKey = (mapId: string): string => `${prefix}/${mapId}/manifest.json`;
/** Input of the next build, which compares it with the new extract; no other code reads it. */
export const mapMemoryKey = (mapId: string): string => `${prefix}/${mapId}/memory`;
/** Block keys follow from their content, so maps share unchanged blocks. */
export const blockKey = (sha256: string): string => `${prefix}/blocks/${sha256}`;

export const isMapId = (text: string): boolean => /^[0-9a-f]{16}$/.test(text);

type Content = Omit<MapManifest, 'mapId'>;
const digest = (content: Content): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('hex');

/** The id follows from the content: same extract, same id, same bytes. */
export function sealMapManifest(content: Content): { readonly mapId: string; readonly bytes: Uint8Array } {
  const sha256 = digest(content);
  const mapId = sha256.slice(0, 16);
  return { mapId, bytes: new TextEncoder().encode(`${JSON.stringify({ sha256, mapId, ...content })}\n`) };
}

/** Throws an Error that says what is wrong with the bytes. */
export function readMapManifest(bytes: Uint8Array, wanted: string): MapManifest {
  let json: MapManifest & { readonly sha256?: unknown };
  try {
    json = JSON.parse(new TextDecoder().decode(bytes)) as typeof json;
  } catch (cause) {
    throw new Error('it is not JSON', { cause });
  }
  if (json?.format !== 'meridian-map-tiles' || json.version !== 1)
    throw new Error('it is not the manifest of map tiles in a version that this program reads');
  const { sha256, mapId, ...content } = json;
  if (digest(content) !== sha256) throw new Error('its checksum does not match');
  if (mapId !== wanted || !sha256.startsWith(wanted)) throw new Error('it is the manifest of another map');
  return { mapId, ...content };
}
