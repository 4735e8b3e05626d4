import { type Static, Type } from 'typebox';
import { oneOf } from './one-of.js';
import type { RouteContract } from './route-contract.js';
import { Position } from './shapes.js';

const Viewport = Type.Object({ northeast: Position, southwest: Position });

const AddressComponent = Type.Object({
  long_name: Type.String(),
  short_name: Type.String(),
  types: Type.Array(Type.String()),
});

/** The access point of the place for a mode; a route requested by `place_id` starts or ends exactly there. */
const Routable = Type.Object({
  mode: oneOf(['driving', 'walking', 'bicycling']),
  edge_id: Type.String({ description: 'Stable id of a directed edge in the tileset.' }),
  offset_m: Type.Number({ description: 'Metres from the start of the edge.' }),
  /** Looking along the edge. */
  side: oneOf(['left', 'right', 'on']),
});

export const locationTypes = ['ROOFTOP', 'RANGE_INTERPOLATED', 'GEOMETRIC_CENTER', 'APPROXIMATE'] as const;

export const GeocodeResult = Type.Object({
  formatted_address: Type.String(),
  address_components: Type.Array(AddressComponent),
  geometry: Type.Object({
    location: Position,
    location_type: oneOf(locationTypes),
    viewport: Viewport,
    bounds: Type.Optional(Viewport),
  }),
  partial_match: Type.Optional(Type.Literal(true)),
  place_id: Type.String({ description: 'Stable for as long as OpenStreetMap keeps the element.' }),
  plus_code: Type.Object({ compound_code: Type.String(), global_code: Type.String() }),
  types: Type.Array(Type.String()),
  routable: Type.Array(Routable),
});
export type GeocodeResult = Static<typeof GeocodeResult>;

export const geocodeStatuses = ['OK', 'ZERO_RESULTS', 'INVALID_REQUEST'] as const;
const GeocodeStatus = oneOf(geocodeStatuses);

export const GeocodeAnswer = Type.Object({
  results: Type.Array(GeocodeResult),
  status: GeocodeStatus,
  error_message: Type.Optional(Type.String({ description: 'How to correct an INVALID_REQUEST.' })),
});
export type GeocodeAnswer = Static<typeof GeocodeAnswer>;

/** The handler bounds texts, because it answers in this layout and not with a problem document. */
const common = {
  language: Type.Optional(
    Type.String({
      description: 'Names in this language where the map has them, otherwise in the local language.',
    }),
  ),
  bias: Type.Optional(
    Type.String({ description: '`lat,lng`: among places that match equally well, the nearest comes first.' }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 })),
};

export const getGeocode = {
  operationId: 'getGeocode',
  method: 'GET',
  path: '/v1/geocode',
  listener: 'public',
  tag: 'geocoding',
  summary: 'The place of an address, or the address of a place',
  description:
    'Exactly one of `address`, `latlng` and `place_id`. The layout follows Google’s geocoder, plus ' +
    '`routable`. One typing error per word is accepted and sets `partial_match`.',
  scopes: 'open',
  query: Type.Object({
    address: Type.Optional(
      Type.String({ description: 'At most 200 characters; the words can be in any order.' }),
    ),
    latlng: Type.Optional(Type.String({ description: '`lat,lng` in degrees.' })),
    place_id: Type.Optional(Type.String()),
    ...common,
  }),
  responses: {
    200: { description: 'Results, best first; empty with the status ZERO_RESULTS.', schema: GeocodeAnswer },
    400: { description: 'INVALID_REQUEST; the message says what is wrong.', schema: GeocodeAnswer },
    503: { description: 'The index is not loaded yet. See Retry-After.' },
  },
} as const satisfies RouteContract;

const Prediction = Type.Object({
  description: Type.String(),
  place_id: Type.String(),
  structured_formatting: Type.Object({ main_text: Type.String(), secondary_text: Type.String() }),
  types: Type.Array(Type.String()),
  location: Position,
  distance_meters: Type.Optional(Type.Integer({ description: 'Metres from `bias`.' })),
});

export const AutocompleteAnswer = Type.Object({
  predictions: Type.Array(Prediction),
  status: GeocodeStatus,
  error_message: Type.Optional(Type.String()),
});
export type AutocompleteAnswer = Static<typeof AutocompleteAnswer>;

export const getAutocomplete = {
  operationId: 'getAutocomplete',
  method: 'GET',
  path: '/v1/autocomplete',
  listener: 'public',
  tag: 'geocoding',
  summary: 'Places whose name starts with the input',
  scopes: 'open',
  query: Type.Object({
    input: Type.Optional(
      Type.String({ description: 'At most 200 characters; the last word can be incomplete.' }),
    ),
    ...common,
  }),
  responses: {
    200: { description: 'Predictions, best first.', schema: AutocompleteAnswer },
    400: {
      description: 'INVALID_REQUEST; the message says what is wrong.',
      schema: AutocompleteAnswer,
    },
    503: { description: 'The index is not loaded yet. See Retry-After.' },
  },
} as const satisfies RouteContract;
