import { gunzipSync } from 'node:zlib';
import type { StoredTile } from '#map-tiles/format/tile-block.js';
import type { HttpAnswer } from '#platform/http/http-types.js';
import { acceptsGzip } from '../http/accepts-gzip.js';
import type { WithHeaders } from '../http/base-url.js';
import { isUnchanged } from '../http/is-unchanged.js';

/** Caching: tiles by version are immutable; others are cached briefly, with `stale-while-revalidate`. */
export const cachings = {
  immutable: 'public, max-age=31536000, immutable',
  current: 'public, max-age=300, stale-while-revalidate=86400',
} as const;
export type Caching = keyof typeof cachings;

const vectorType = 'application/vnd.mapbox-vector-tile';

const pngType = 'image/png';

type ReadyAnswers = WeakMap<StoredTile, HttpAnswer>;
/**
 * Complete answers for clients that accept gzip, as nearly all do: built once, and released with the block
 * that holds the tile.
 */
const ready: Readonly<Record<Caching, ReadyAnswers>> = { immutable: new WeakMap(), current: new WeakMap() };

/** The same for a prepared tile. */
export function preparedAnswer(
  tile: StoredTile | undefined,
  request: WithHeaders,
  caching: Caching,
): HttpAnswer {
  if (tile === undefined) return vectorAnswer(undefined, request, caching);
  const known = ready[caching].get(tile);
  if (known !== undefined && acceptsGzip(request) && request.header('if-none-match') === undefined)
    return known;
  const answer = vectorAnswer({ gzip: tile.bytes, etag: `"${tile.hash}"` }, request, caching);
  if (answer.status !== 200 || answer.headers?.['content-encoding'] !== 'gzip') return answer;
  const kept = { ...answer, isKept: true } as const;
  ready[caching].set(tile, kept);
  return kept;
}

/** 200, 204 or 304 for a vector tile in gzip; the bytes are sent as stored. `etag` is quoted. */
export function vectorAnswer(
  tile: { readonly gzip: Uint8Array; readonly etag: string } | undefined,
  request: WithHeaders,
  caching: Caching,
): HttpAnswer {
  const cacheControl = cachings[caching];
  if (tile === undefined || tile.gzip.byteLength === 0)
    return { status: 204, headers: { 'cache-control': cacheControl, vary: 'accept-encoding' } };
  const compressed = acceptsGzip(request);
  // A strong ETag identifies bytes, and the two encodings have different bytes.
  const etag = compressed ? tile.etag : `${tile.etag.slice(0, -1)}-plain"`;
  if (isUnchanged(request.header('if-none-match'), etag))
    return { status: 304, headers: { 'cache-control': cacheControl, vary: 'accept-encoding', etag } };
  if (!compressed) {
    const headers = { 'cache-control': cacheControl, vary: 'accept-encoding', etag };
    return { status: 200, headers, contentType: vectorType, body: gunzipSync(tile.gzip) };
  }
  const headers = {
    'cache-control': cacheControl,
    vary: 'accept-encoding',
    etag,
    'content-encoding': 'gzip',
  };
  return { status: 200, headers, contentType: vectorType, body: tile.gzip };
}

/** 200 or 304 for a PNG tile. */
export function pngAnswer(
  { bytes, hash }: { readonly bytes: Uint8Array; readonly hash: string },
  request: WithHeaders,
  caching: Caching,
): HttpAnswer {
  const headers = { 'cache-control': cachings[caching], etag: `"${hash}"` };
  if (isUnchanged(request.header('if-none-match'), headers.etag)) return { status: 304, headers };
  return { status: 200, headers, contentType: pngType, body: bytes };
}
