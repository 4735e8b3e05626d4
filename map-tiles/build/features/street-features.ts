import type { Tags } from '#schemas/osm-sink.js';
import type { Attribute, Drawing } from '../../format/map-feature.js';
import { attribute, nameAttributes, shortened } from './feature-attributes.js';

const zooms = (entries: Readonly<Record<string, number>>): ReadonlyMap<string, number> =>
  new Map(Object.entries(entries));

/** First zoom of a road by its `highway`, without `_link`. */
const roads = zooms({
  motorway: 5,
  trunk: 6,
  primary: 8,
  secondary: 9,
  tertiary: 10,
  unclassified: 12,
  residential: 12,
  living_street: 12,
  road: 12,
  busway: 13,
  pedestrian: 13,
  service: 13,
  track: 13,
  bridleway: 14,
  cycleway: 14,
  footway: 14,
  path: 14,
  steps: 14,
});
const firstZoomOfLinks = 11;
const firstZoomOfStreetNames = 12;

const rails = zooms({
  rail: 8,
  narrow_gauge: 9,
  light_rail: 10,
  subway: 10,
  tram: 11,
  funicular: 11,
  monorail: 11,
});
const firstZoomOfSidings = 13;
const runways = zooms({ runway: 11, taxiway: 13 });

const yes = (value: string | undefined): boolean => value !== undefined && value !== 'no' && value !== '0';

/** A road, railway or runway as a line. */
export function drawStreet(tags: Tags): Drawing | undefined {
  const highway = tags.get('highway');
  if (highway !== undefined) {
    const link = highway.endsWith('_link');
    const kind = link ? highway.slice(0, -5) : highway;
    const first = roads.get(kind);
    if (first === undefined || tags.get('area') === 'yes') return undefined;
    const minZoom = link ? Math.max(first, firstZoomOfLinks) : first;
    return street(tags, kind, minZoom, link ? [attribute('link', true)] : []);
  }
  const railway = tags.get('railway') ?? '';
  const ofRail = rails.get(railway);
  if (ofRail !== undefined) {
    const minZoom = tags.has('service') ? firstZoomOfSidings : ofRail;
    return street(tags, railway, minZoom, [attribute('rail', true)]);
  }
  const aeroway = tags.get('aeroway') ?? '';
  const ofRunway = runways.get(aeroway);
  return ofRunway === undefined ? undefined : street(tags, aeroway, ofRunway, []);
}

function street(tags: Tags, kind: string, minZoom: number, more: readonly Attribute[]): Drawing {
  const attributes = [attribute('kind', kind), ...more];
  if (yes(tags.get('tunnel')) || tags.get('covered') === 'yes')
    attributes.push(attribute('tunnel', true, 12));
  if (yes(tags.get('bridge'))) attributes.push(attribute('bridge', true, 12));
  const oneway = tags.get('oneway');
  if (oneway === '-1') attributes.push(attribute('oneway_reverse', true, 13));
  else if (oneway === 'yes' || tags.get('junction') === 'roundabout')
    attributes.push(attribute('oneway', true, 13));
  const service = tags.get('service');
  if (service !== undefined) attributes.push(attribute('service', service, 13));
  const ref = shortened(tags.get('ref'));
  if (ref !== undefined) attributes.push(attribute('ref', ref, 8));
  attributes.push(...nameAttributes(tags, firstZoomOfStreetNames));
  return { layer: 'streets', minZoom, attributes };
}

/** A square or another area that is walked on. */
export function drawStreetArea(tags: Tags): Drawing | undefined {
  const kind = tags.get('highway') ?? '';
  if (!roads.has(kind) || tags.get('area') !== 'yes') return undefined;
  return {
    layer: 'street_polygons',
    minZoom: 13,
    attributes: [attribute('kind', kind), ...nameAttributes(tags, 14)],
  };
}

export function drawFerry(tags: Tags): Drawing | undefined {
  if (tags.get('route') !== 'ferry') return undefined;
  return {
    layer: 'ferries',
    minZoom: 9,
    attributes: [attribute('kind', 'ferry'), ...nameAttributes(tags, 12)],
  };
}
