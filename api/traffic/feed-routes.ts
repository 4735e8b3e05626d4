import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type HttpAnswer, type Route, route } from '#platform/http/http-types.js';
import { getDatex2Feed, getWzdxFeed } from '#schemas/http/traffic-feeds.js';
import { writeDatex2 } from '#traffic-exchange/datex2/write-datex2.js';
import type { FeedHead, PublishedEvent } from '#traffic-exchange/events/published-event.js';
import { writeWzdx } from '#traffic-exchange/wzdx/write-wzdx.js';
import { acceptsGzip } from '../http/accepts-gzip.js';
import type { WithHeaders } from '../http/base-url.js';
import { isUnchanged } from '../http/is-unchanged.js';
import { feedFreshMs, feedKeptMs } from '../http/limits.js';
import type { IncidentStore } from '../incidents/incident-store.js';
import type { RoadLines } from '../ports/road-lines.js';
import type { Releases } from '../release/served-release.js';
import { PublishedIncidents } from './published-incidents.js';

const compress = promisify(gzip);
const publisher = 'Meridian';

export interface FeedRouteDeps {
  readonly incidents: IncidentStore;
  readonly releases: Releases;
  readonly nowMs: () => number;
}

interface Written {
  readonly plain: Uint8Array;
  readonly gzipped: Uint8Array;
  /** Quoted. */
  readonly etag: string;
}

interface Kept {
  readonly tilesetId: string;
  /** Revision of the incidents. */
  readonly of: number;
  readonly writtenMs: number;
  readonly written: Promise<Written>;
}

type Write = (events: readonly PublishedEvent[], head: FeedHead) => string;

/**
 * The incidents for other platforms. A feed is written when somebody asks and what it says has changed, or
 * when it is older than `feedKeptMs`; all who ask meanwhile share it.
 */
export function feedRoutes(deps: FeedRouteDeps): readonly Route[] {
  const published = new PublishedIncidents();
  const wzdx = keptFeed(deps, published, writeWzdx);
  const datex2 = keptFeed(deps, published, writeDatex2);
  return [
    route(getWzdxFeed, async (request) => answerOf(await wzdx(), request, 'application/geo+json'), {
      priority: 'tile',
    }),
    route(getDatex2Feed, async (request) => answerOf(await datex2(), request, 'application/xml'), {
      priority: 'tile',
    }),
  ];
}

function keptFeed(
  { incidents, releases, nowMs }: FeedRouteDeps,
  published: PublishedIncidents,
  write: Write,
): () => Promise<Written> {
  let kept: Kept | undefined;

  const written = (writtenMs: number): Promise<Written> =>
    releases.use(async ({ roads, lines }) => {
      // The routes are offered only where every release has lines.
      const release = { roads, lines: lines as RoadLines };
      const events = await published.of(incidents.active(), release, writtenMs);
      const plain = Buffer.from(write(events, { publisher, writtenMs }));
      const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
      return { plain, gzipped: await compress(plain, { level: 4 }), etag };
    });

  return () => {
    const now = nowMs();
    const { tilesetId } = releases.current.roads;
    const of = incidents.revision;
    const ageMs = kept === undefined ? Number.POSITIVE_INFINITY : now - kept.writtenMs;
    const isDue = ageMs >= feedKeptMs || (kept?.of !== of && ageMs >= feedFreshMs);
    if (kept === undefined || isDue || kept.tilesetId !== tilesetId) {
      const next = { tilesetId, of, writtenMs: now, written: written(now) };
      kept = next;
      // What failed is written again for the next one who asks.
      next.written.catch(() => {
        if (kept === next) kept = undefined;
      });
    }
    return kept.written;
  };
}

function answerOf({ plain, gzipped, etag }: Written, request: WithHeaders, contentType: string): HttpAnswer {
  const compressed = acceptsGzip(request);
  // A strong tag names bytes, and the two encodings are different bytes.
  const tag = compressed ? etag : `${etag.slice(0, -1)}-plain"`;
  const headers = { 'cache-control': 'no-cache', vary: 'accept-encoding', etag: tag };
  if (isUnchanged(request.header('if-none-match'), tag)) return { status: 304, headers };
  return compressed
    ? { status: 200, headers: { ...headers, 'content-encoding': 'gzip' }, contentType, body: gzipped }
    : { status: 200, headers, contentType, body: plain };
}
