import { createHash } from 'node:crypto';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import type { ReleaseParts } from './release-parts.js';

/**
 * Routing tiles, map tiles and geocoding index of one extract, which serve together; `releases/<id>.json`.
 * The id of each part and of the release follows from its content: the same extract gives the same id.
 */
export interface Release extends ReleaseParts {
  readonly releaseId: string;
}

/** A release is missing or changed. The message names the object. */
export class CorruptRelease extends Error {
  override readonly name = 'CorruptRelease';
}

/** Holds the id of the current release: the only pointer in the store that a build changes. */
export const currentReleaseKey = 'releases/current';
export const releaseKey = (releaseId: string): string => `releases/${releaseId}.json`;
const isId = (text: unknown): text is string => typeof text === 'string' && /^[0-9a-f]{16}$/.test(text);

/** The object of a release, and the id that its content gives it. */
export function encodeRelease({ tilesetId, mapId, geocodeId }: ReleaseParts): {
  readonly releaseId: string;
  readonly bytes: Uint8Array;
} {
  const content = { format: 'meridian-release', version: 1, tilesetId, mapId, geocodeId };
  const sha256 = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  const bytes = new TextEncoder().encode(`${JSON.stringify({ sha256, ...content })}\n`);
  return { releaseId: sha256.slice(0, 16), bytes };
}

/** The current release; undefined before the first build. Throws `CorruptRelease`. */
export async function currentRelease(objects: ObjectStore): Promise<Release | undefined> {
  const pointer = await objects.get(currentReleaseKey);
  if (pointer === undefined) return undefined;
  const releaseId = new TextDecoder().decode(pointer).trim();
  if (!isId(releaseId))
    throw new CorruptRelease(`${currentReleaseKey}: it does not hold the id of a release`);
  return readRelease(objects, releaseId);
}

/** Throws `CorruptRelease`, also if it is missing. */
export async function readRelease(objects: ObjectStore, releaseId: string): Promise<Release> {
  const key = releaseKey(releaseId);
  const bytes = await objects.get(key);
  if (bytes === undefined) throw new CorruptRelease(`${key}: it is missing; build the tiles again`);
  const parts = decode(bytes);
  if (parts === undefined || encodeRelease(parts).releaseId !== releaseId)
    throw new CorruptRelease(`${key}: it is not the release that its name says; build the tiles again`);
  return { releaseId, ...parts };
}

/** The release that a build updates; undefined also if it cannot be read: then everything is built. */
export async function releaseBefore(objects: ObjectStore): Promise<Release | undefined> {
  try {
    return await currentRelease(objects);
  } catch (error) {
    if (error instanceof CorruptRelease) return undefined;
    throw error;
  }
}

function decode(bytes: Uint8Array): ReleaseParts | undefined {
  let json: Partial<Record<keyof ReleaseParts, unknown>> | null;
  try {
    json = JSON.parse(new TextDecoder().decode(bytes)) as typeof json;
  } catch {
    return undefined;
  }
  const { tilesetId, mapId, geocodeId } = json ?? {};
  const isPart = (id: unknown): id is string | null => id === null || isId(id);
  return isId(tilesetId) && isPart(mapId) && isPart(geocodeId) ? { tilesetId, mapId, geocodeId } : undefined;
}
