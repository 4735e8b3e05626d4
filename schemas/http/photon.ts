import { Type } from 'typebox';
import type { RouteContract } from './route-contract.js';

const option = (description: string) => Type.Optional(Type.String({ description }));
const repeated = (description: string) => Type.Optional(Type.Array(Type.String(), { description }));

/** The handler checks queries, with Photon's error messages. */
const common = {
  lang: option('Language of names, or `default`, the local one; default is the header `Accept-Language`.'),
  limit: option('1 to 50. Other numbers are moved to the nearer of these.'),
  osm_tag: repeated(
    '`key`, `key:value`, `:value`, or `!` in front of these to exclude, or `key:!value`. May be repeated.',
  ),
  layer: repeated(
    'One of `house`, `street`, `locality`, `district`, `city`, `county`, `state`, `country`, `other`. May ' +
      'be repeated.',
  ),
  include: repeated('A list of categories, `osm.tourism.hotel` or `osm.tourism`: one of them is needed.'),
  exclude: repeated('A list of categories: places that have all of them are left out.'),
  dedupe: option('`true`; others are rejected, because the map has each place once.'),
  debug: option('`false`; others are rejected.'),
  geometry: option('`false`; others are rejected.'),
};

const Feature = Type.Object({
  type: Type.Literal('Feature'),
  properties: Type.Object({
    osm_type: Type.Optional(Type.String({ description: '`N`, `W` or `R`; not for addresses alone.' })),
    osm_id: Type.Optional(Type.Integer()),
    osm_key: Type.Optional(Type.String()),
    osm_value: Type.Optional(Type.String()),
    type: Type.String(),
    name: Type.Optional(Type.String()),
    housenumber: Type.Optional(Type.String()),
    street: Type.Optional(Type.String()),
    locality: Type.Optional(Type.String()),
    district: Type.Optional(Type.String()),
    city: Type.Optional(Type.String()),
    county: Type.Optional(Type.String()),
    state: Type.Optional(Type.String()),
    country: Type.Optional(Type.String()),
    postcode: Type.Optional(Type.String()),
    countrycode: Type.Optional(Type.String()),
    extent: Type.Optional(
      Type.Array(Type.Number(), { minItems: 4, maxItems: 4, description: 'West, north, east, south.' }),
    ),
  }),
  geometry: Type.Object({
    type: Type.Literal('Point'),
    coordinates: Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }),
  }),
});
export const PhotonAnswer = Type.Object({
  type: Type.Literal('FeatureCollection'),
  features: Type.Array(Feature),
});

const responses = {
  200: { description: 'Places as GeoJSON; may be empty.', schema: PhotonAnswer },
  400: {
    description: 'An option is unknown, malformed or not supported; the message says which.',
    schema: Type.Object({ message: Type.String() }),
  },
  503: { description: 'The index is not loaded yet. See Retry-After.' },
} as const;

export const getPhotonSearch = {
  operationId: 'getPhotonSearch',
  method: 'GET',
  path: '/v1/photon/api',
  listener: 'public',
  tag: 'geocoding',
  summary: 'Places whose name starts with a text, in the layout of Photon, for its clients',
  description:
    'Every option of Photon is supported or rejected; other options are rejected. What is known only from ' +
    'addresses has no `osm_…` properties.',
  scopes: 'open',
  query: Type.Object({
    q: option('At most 200 characters; the last word can be incomplete.'),
    lat: option('With `lon`: places near this come first.'),
    lon: option('See `lat`.'),
    zoom: option('How far is near: 0 to 18, default 12 (11 km); twice as far at each lower zoom, about.'),
    location_bias_scale: option('0 to 1, default 0.4: what importance counts beside nearness.'),
    bbox: option('`minLon,minLat,maxLon,maxLat`: only places in it.'),
    countrycode: repeated('Only places of this country, two letters. May be repeated.'),
    suggest_addresses: option('`false`; others are rejected.'),
    ...common,
  }),
  responses,
} as const satisfies RouteContract;

export const getPhotonReverse = {
  operationId: 'getPhotonReverse',
  method: 'GET',
  path: '/v1/photon/reverse',
  listener: 'public',
  tag: 'geocoding',
  summary: 'The nearest places, in the layout of Photon',
  scopes: 'open',
  query: Type.Object({
    lat: option('Latitude in degrees.'),
    lon: option('Longitude in degrees.'),
    radius: option('Kilometres, 0 to 20; default 1. Streets are found within 5 km.'),
    distance_sort: option('`true` (default), or `false`: the most important first.'),
    query_string_filter: option('Rejected.'),
    ...common,
  }),
  responses,
} as const satisfies RouteContract;
