import { bearingDeg } from '#routing-engine/network/earth.js';
import type { FeedHead, PublishedEvent, PublishedLine } from '../events/published-event.js';
import { encodeLineBase64 } from '../openlr/line-binary.js';

const sources = {
  operator: { data_source_id: 'operators', organization_name: 'Operators of the platform' },
  detected: { data_source_id: 'drives', organization_name: 'Closures found in drives' },
} as const;

/**
 * WZDx 4.2, one feature for each line. The format has no field for OpenLR and none for a measured speed:
 * OpenLR is the foreign member `openlr`, and a slow road has its speed as the reduced limit.
 */
export function writeWzdx(events: readonly PublishedEvent[], { publisher, writtenMs }: FeedHead): string {
  return JSON.stringify({
    feed_info: {
      update_date: time(writtenMs),
      version: '4.2',
      publisher,
      data_sources: Object.values(sources),
    },
    type: 'FeatureCollection',
    features: events.flatMap((event) => event.lines.map((line, i) => feature(event, line, i))),
  });
}

function feature(event: PublishedEvent, { coordinates, openlr }: PublishedLine, index: number): object {
  const { id, effect, source, road, description, startMs, endMs, lines } = event;
  return {
    id: lines.length === 1 ? id : `${id}.${index + 1}`,
    type: 'Feature',
    properties: {
      core_details: {
        ...{ event_type: 'work-zone', data_source_id: sources[source].data_source_id },
        ...{ road_names: [road === '' ? 'unnamed road' : road], direction: directionOf(coordinates) },
        ...(description === '' ? {} : { description }),
        creation_date: time(startMs),
      },
      ...{ start_date: time(startMs), end_date: time(endMs) },
      ...{ is_start_date_verified: source === 'detected', is_end_date_verified: false },
      ...{ is_start_position_verified: false, is_end_position_verified: false },
      location_method: 'junction-method',
      ...(effect.kind === 'closed'
        ? { vehicle_impact: 'all-lanes-closed' }
        : { vehicle_impact: 'all-lanes-open', reduced_speed_limit_kph: effect.speedKph }),
      ...(openlr === undefined ? {} : { openlr: encodeLineBase64(openlr) }),
    },
    geometry: { type: 'LineString', coordinates },
  };
}

const directions = ['northbound', 'eastbound', 'southbound', 'westbound'] as const;

function directionOf(coordinates: PublishedLine['coordinates']): string {
  const [first, last] = [coordinates[0]!, coordinates.at(-1)!];
  if (first[0] === last[0] && first[1] === last[1]) return 'unknown';
  return directions[Math.round(bearingDeg(first[0], first[1], last[0], last[1]) / 90) % 4]!;
}

const time = (ms: number): string => new Date(ms).toISOString();
