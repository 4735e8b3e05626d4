import type { FoundContour, IsochroneOutcome } from '#routing-engine/tasks/isochrone-task.js';
import type { IsochroneAnswer, IsochroneQuery } from '#schemas/http/isochrone.js';
import type { LatLng } from '#schemas/units.js';
import { sortedContours } from './isochrone-query.js';
import { messages } from './messages.js';

type Found = Extract<IsochroneOutcome, { readonly status: 'ok' }>;
type Feature = IsochroneAnswer['features'][number];

/** By position, where the query names no colour: blue, green, yellow, red. */
const colours = ['3366cc', '33a02c', 'e6ab02', 'd95f02'];
const opacity = 0.33;

/** Valhalla's layout. */
export function isochroneAnswer(found: Found, query: IsochroneQuery, tilesetId: string): IsochroneAnswer {
  const { start, contours, metricVersion } = found;
  const asked = sortedContours(query);
  return {
    type: 'FeatureCollection',
    ...(query.id === undefined ? {} : { id: query.id }),
    features: [
      ...contours.map((contour, at) => feature(contour, asked[at]!, colours[at]!, query.polygons === true)),
      ...(query.show_locations === true
        ? [
            location('input', { lat: query.locations[0]!.lat, lng: query.locations[0]!.lon }),
            location('snapped', start.point),
          ]
        : []),
    ],
    ...(start.isMoved ? { warnings: [messages.moved(Math.round(start.distanceM))] } : {}),
    metric_version: metricVersion,
    tileset_id: tilesetId,
  };
}

function feature(
  { areas, toleranceM }: FoundContour,
  { time, distance, color: asked }: IsochroneQuery['contours'][number],
  usual: string,
  polygons: boolean,
): Feature {
  const color = `#${asked ?? usual}`;
  return {
    type: 'Feature',
    properties: {
      contour: (time ?? distance)!,
      metric: time === undefined ? 'distance' : 'time',
      color,
      opacity,
      fill: color,
      'fill-opacity': opacity,
      fillColor: color,
      fillOpacity: opacity,
      tolerance_m: Math.round(toleranceM),
    },
    geometry: polygons ? polygonsOf(areas) : linesOf(areas),
  };
}

const line = (ring: Float64Array): number[][] =>
  Array.from({ length: ring.length / 2 }, (_, at) => [ring[2 * at]!, ring[2 * at + 1]!]);

function polygonsOf(areas: FoundContour['areas']): Feature['geometry'] {
  const all = areas.map((area) => area.map(line));
  return all.length === 1
    ? { type: 'Polygon', coordinates: all[0]! }
    : { type: 'MultiPolygon', coordinates: all };
}

function linesOf(areas: FoundContour['areas']): Feature['geometry'] {
  const all = areas.flatMap((area) => area.map(line));
  return all.length === 1
    ? { type: 'LineString', coordinates: all[0]! }
    : { type: 'MultiLineString', coordinates: all };
}

const location = (type: 'input' | 'snapped', { lat, lng }: LatLng): Feature => ({
  type: 'Feature',
  properties: { type, location_index: 0 },
  geometry: { type: 'Point', coordinates: [lng, lat] },
});
