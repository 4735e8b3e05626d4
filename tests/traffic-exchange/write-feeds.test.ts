import { beforeAll, describe, expect, it } from 'vitest';
import { readDatex2 } from '#traffic-exchange/datex2/read-datex2.js';
import { writeDatex2 } from '#traffic-exchange/datex2/write-datex2.js';
import type { ReadFeed } from '#traffic-exchange/events/road-event.js';
import { EventMatcher } from '#traffic-exchange/feeds/match-event.js';
import { readWzdx } from '#traffic-exchange/wzdx/read-wzdx.js';
import { writeWzdx } from '#traffic-exchange/wzdx/write-wzdx.js';
import { head, publishedTown } from './published-town.js';

let town: Awaited<ReturnType<typeof publishedTown>>;
beforeAll(async () => {
  town = await publishedTown();
});

/** Edges by the id of the incident, whose lines are events of their own. */
function edgesByIncident({ events }: ReadFeed, withOnly: 'openlr' | 'line'): Map<string, Set<number>> {
  const matcher = new EventMatcher(town.map.network);
  const found = new Map<string, Set<number>>();
  for (const event of events) {
    const places = event.places.map((place) => ({ [withOnly]: place[withOnly] }));
    const matched = matcher.match({ ...event, places });
    const edges = matched.kind === 'edges' ? matched.edges : [];
    const id = event.id.replace(/\.\d+$/, '');
    found.set(id, new Set([...(found.get(id) ?? []), ...edges]));
  }
  return found;
}

const formats = [
  ['WZDx', () => readWzdx(writeWzdx(town.events, head))],
  ['DATEX II', () => readDatex2(writeDatex2(town.events, head))],
] as const;

describe.each(formats)('a feed that the platform writes as %s', (_format, readBack) => {
  it.each(['openlr', 'line'] as const)('is on the same edges by its %s alone', (way) => {
    const wanted = new Map([...town.edgesOf].map(([id, edges]) => [id, new Set(edges)]));
    expect(edgesByIncident(readBack(), way)).toEqual(wanted);
  });

  it('has the same effects, times and texts', () => {
    const { events, skipped } = readBack();
    expect(skipped).toEqual([]);
    const of = (id: string) => events.filter((event) => event.id.startsWith(id));
    expect(of('both-directions')).toHaveLength(2);
    expect(of('a-way')).toHaveLength(1);
    for (const event of events) {
      expect(event.periods).toEqual([{ startMs: Date.UTC(2026, 10, 1), endMs: Date.UTC(2026, 10, 3) }]);
      const isSlow = event.id.startsWith('slow');
      expect(event.effect).toEqual(isSlow ? { kind: 'slow', speedKph: 20.5 } : { kind: 'closed' });
      if (!isSlow) expect(event.description).toContain('Rör & <b>kablar</b> "här"');
    }
  });
});

describe('what the formats demand', () => {
  it('WZDx: a head, and the fields of a work zone', () => {
    const feed = JSON.parse(writeWzdx(town.events, head)) as {
      feed_info: Record<string, unknown> & { data_sources: { data_source_id: string }[] };
      features: {
        id: string;
        properties: Record<string, unknown> & { core_details: Record<string, unknown> };
      }[];
    };
    expect(feed.feed_info).toMatchObject({ version: '4.2', publisher: 'Meridian' });
    const sources = feed.feed_info.data_sources.map(({ data_source_id }) => data_source_id);
    expect(new Set(feed.features.map(({ id }) => id)).size).toBe(feed.features.length);
    for (const { properties } of feed.features) {
      const { core_details: core } = properties;
      expect(sources).toContain(core['data_source_id']);
      expect(core['road_names']).toHaveLength(1);
      expect(['northbound', 'eastbound', 'southbound', 'westbound']).toContain(core['direction']);
      for (const name of ['start_date', 'end_date', 'vehicle_impact', 'location_method'])
        expect(properties[name]).toBeTypeOf('string');
    }
  });

  it('DATEX II: elements in the order of the schema, and text that XML can hold', () => {
    const text = writeDatex2(town.events, head);
    const record = /<sit:situationRecord .*?<\/sit:situationRecord>/s.exec(text)![0];
    const order = [...record.matchAll(/<(sit:\w+|loc:openlrLinear|loc:gmlLineString)/g)].map(
      ([, name]) => name,
    );
    expect(order).toEqual([
      'sit:situationRecord',
      'sit:situationRecordCreationTime',
      'sit:situationRecordVersionTime',
      'sit:probabilityOfOccurrence',
      'sit:validity',
      'sit:generalPublicComment',
      'sit:comment',
      'sit:locationReference',
      'loc:openlrLinear',
      'loc:gmlLineString',
      'sit:complianceOption',
      'sit:roadOrCarriagewayOrLaneManagementType',
    ]);
    expect(text).not.toContain('\u0001');
    expect(text).toContain('Rör &amp; &lt;b&gt;kablar&lt;/b&gt; &quot;här&quot;');
  });

  it('both: a feed without incidents', () => {
    expect(readWzdx(writeWzdx([], head))).toEqual({ events: [], skipped: [] });
    expect(readDatex2(writeDatex2([], head))).toEqual({ events: [], skipped: [] });
  });
});
