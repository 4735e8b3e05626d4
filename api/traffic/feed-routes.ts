import { type Route, route } from '#platform/http/http-types.js';
import { getDatex2Feed, getDatex2Speeds, getWzdxFeed } from '#schemas/http/traffic-feeds.js';
import { writeDatex2 } from '#traffic-exchange/datex2/write-datex2.js';
import { writeSpeeds } from '#traffic-exchange/datex2/write-speeds.js';
import type { FeedHead, PublishedEvent } from '#traffic-exchange/events/published-event.js';
import { writeWzdx } from '#traffic-exchange/wzdx/write-wzdx.js';
import { feedFreshMs, speedsFreshMs } from '../http/limits.js';
import type { IncidentStore } from '../incidents/incident-store.js';
import type { RoadLines } from '../ports/road-lines.js';
import type { Releases } from '../release/served-release.js';
import { KeptFeed } from './kept-feed.js';
import { PublishedIncidents } from './published-incidents.js';
import { PublishedSpeeds } from './published-speeds.js';

const publisher = 'Meridian';
const geoJson = 'application/geo+json';
const xml = 'application/xml';

export interface FeedRouteDeps {
  readonly incidents: IncidentStore;
  readonly releases: Releases;
  readonly nowMs: () => number;
}

type Write = (events: readonly PublishedEvent[], head: FeedHead) => string;

/** Incidents and speeds for other platforms. Offered only where every release has `lines`. */
export function feedRoutes({ incidents, releases, nowMs }: FeedRouteDeps): readonly Route[] {
  const published = new PublishedIncidents();
  const speeds = new PublishedSpeeds();

  const incidentFeed = (write: Write, contentType: string): KeptFeed =>
    new KeptFeed({
      ...{ contentType, nowMs, freshMs: feedFreshMs },
      revision: () => `${releases.current.roads.tilesetId} ${incidents.revision}`,
      write: (writtenMs) =>
        releases.use(async ({ roads, lines }) => {
          const release = { roads, lines: lines as RoadLines };
          const events = await published.of(incidents.active(), release, writtenMs);
          return write(events, { publisher, writtenMs });
        }),
    });
  const wzdx = incidentFeed(writeWzdx, geoJson);
  const datex2 = incidentFeed(writeDatex2, xml);
  const datex2Speeds = new KeptFeed({
    ...{ contentType: xml, nowMs, freshMs: speedsFreshMs },
    revision: () => `${releases.current.roads.tilesetId} ${releases.current.traffic().version}`,
    write: (writtenMs) =>
      releases.use(async ({ roads, lines, traffic }) => {
        const now = traffic();
        const found = await speeds.of(now.differing(), roads.tilesetId, lines as RoadLines);
        const measuredMs = now.publishedMs ?? writtenMs;
        // The format has no publication without a value.
        return found.length === 0 ? undefined : writeSpeeds(found, measuredMs, { publisher, writtenMs });
      }),
  });

  return [
    route(getWzdxFeed, (request) => wzdx.answer(request), { priority: 'tile' }),
    route(getDatex2Feed, (request) => datex2.answer(request), { priority: 'tile' }),
    route(getDatex2Speeds, (request) => datex2Speeds.answer(request), { priority: 'tile' }),
  ];
}
