import { Type } from 'typebox';
import type { RouteContract } from './route-contract.js';

const option = (description: string) => Type.Optional(Type.String({ description }));

/** The handler checks queries, with Nominatim's error messages. */
const output = {
  addressdetails: option('`0` or `1`: the address in parts. Default `0` for searches, else `1`.'),
  namedetails: option('`0` (default) or `1`: the names by key, `name` and `name:sv`.'),
  'accept-language': option(
    'Languages of names in the order of preference; default is the header `Accept-Language`.',
  ),
  email: option('Accepted; not used.'),
  polygon_threshold: option('0, or without polygons; others are rejected.'),
  extratags: option('`0`; others are rejected.'),
  entrances: option('`0`; others are rejected.'),
  polygon_geojson: option(
    '`0` (default) or `1`: the border of an administrative area. Other places are points. One `polygon_…` ' +
      'at a time, and at most 200,000 points.',
  ),
  polygon_kml: option('See `polygon_geojson`; not in the formats `geojson` and `geocodejson`.'),
  polygon_svg: option('See `polygon_geojson`; not in the formats `geojson` and `geocodejson`.'),
  polygon_text: option('See `polygon_geojson`; not in the formats `geojson` and `geocodejson`.'),
  debug: option('`0`; others are rejected.'),
  json_callback: option('Rejected.'),
};
const format = (otherwise: string) =>
  option(`\`xml\`, \`json\`, \`jsonv2\`, \`geojson\` or \`geocodejson\`; default \`${otherwise}\`.`);
const layer = (otherwise: string) =>
  option(`A list of \`address\`, \`poi\`, \`railway\`, \`natural\`, \`manmade\`; default: ${otherwise}.`);

const responses = {
  400: {
    description: 'An option is unknown, malformed or not supported; the message says which. XML for `xml`.',
    schema: Type.Object({ error: Type.Object({ code: Type.Literal(400), message: Type.String() }) }),
  },
  503: { description: 'The index is not loaded yet. See Retry-After.' },
} as const;

export const getNominatimSearch = {
  operationId: 'getNominatimSearch',
  method: 'GET',
  path: '/v1/nominatim/search',
  listener: 'public',
  tag: 'geocoding',
  summary: 'Places in the layout of Nominatim, for its clients',
  description:
    'Either `q` or parts of an address. A text that is `latitude, longitude` gives what is there. Every ' +
    'option of Nominatim is supported or rejected; other options are rejected. `place_id` is a number of ' +
    'this release of the map. What is known only from addresses has no `osm_type`, `osm_id` and `type`.',
  scopes: 'open',
  query: Type.Object({
    q: option('At most 200 characters; the words can be in any order.'),
    amenity: option('Name or kind of a place to go to.'),
    street: option('House number and street.'),
    city: option('A town, or a part of one.'),
    county: option('A county.'),
    state: option('A state.'),
    country: option('A country, by name or code.'),
    postalcode: option('A postcode; alone it finds nothing.'),
    format: format('jsonv2'),
    limit: option('1 to 40, default 10. Other numbers are moved to the nearer of these.'),
    countrycodes: option('Only places of these countries: `se,no`.'),
    layer: layer('all'),
    featureType: option('`country`, `state`, `city` or `settlement`.'),
    exclude_place_ids: option('A list of ids to leave out: `N107775`, or `place_id` of an earlier answer.'),
    viewbox: option('`x1,y1,x2,y2`, two corners in degrees: places near its middle come first.'),
    bounded: option('`0` (default) or `1`: only places in the viewbox.'),
    dedupe: option('`1`; others are rejected, because the map has each place once.'),
    ...output,
  }),
  responses: {
    200: { description: 'Places, best first; may be empty.', schema: Type.Unknown() },
    ...responses,
  },
} as const satisfies RouteContract;

export const getNominatimReverse = {
  operationId: 'getNominatimReverse',
  method: 'GET',
  path: '/v1/nominatim/reverse',
  listener: 'public',
  tag: 'geocoding',
  summary: 'What is at a place, in the layout of Nominatim',
  scopes: 'open',
  query: Type.Object({
    lat: option('Latitude in degrees.'),
    lon: option('Longitude in degrees.'),
    zoom: option('0 (a country) to 18 (a house, default). Other numbers are moved to the nearer of these.'),
    layer: layer('`address,poi`'),
    format: format('xml'),
    ...output,
  }),
  responses: {
    200: { description: 'The place, or `error` where there is nothing.', schema: Type.Unknown() },
    ...responses,
  },
} as const satisfies RouteContract;

export const getNominatimLookup = {
  operationId: 'getNominatimLookup',
  method: 'GET',
  path: '/v1/nominatim/lookup',
  listener: 'public',
  tag: 'geocoding',
  summary: 'Places by their ids in OpenStreetMap, in the layout of Nominatim',
  scopes: 'open',
  query: Type.Object({
    osm_ids: option('At most 50 ids: `N123,W45,R6`.'),
    format: format('jsonv2'),
    ...output,
  }),
  responses: {
    200: { description: 'The places that the map has, in the order of the ids.', schema: Type.Unknown() },
    ...responses,
  },
} as const satisfies RouteContract;
