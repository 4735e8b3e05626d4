import { type HttpAnswer, type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import {
  type AutocompleteAnswer,
  type GeocodeAnswer,
  getAutocomplete,
  getGeocode,
} from '#schemas/http/geocode.js';
import type { LatLng } from '#schemas/units.js';
import type { GeocodedPlace, Geocoder, PlaceQuery } from '../ports/geocoder.js';
import { type Asked, askedLanguage, askedLatLng, askedText } from './geocode-query.js';
import { metresBetween } from './index-geocoder.js';
import * as messages from './messages.js';

const resultsDefault = 5;

/** `geocoder` returns undefined while no index is loaded. */
export function geocodeRoutes(geocoder: () => Geocoder | undefined): readonly Route[] {
  return [
    route(getGeocode, ({ query }) => {
      const found = geocoder();
      return found === undefined ? notLoaded() : geocode(found, query);
    }),
    route(getAutocomplete, ({ query }) => {
      const found = geocoder();
      return found === undefined ? notLoaded() : autocomplete(found, query);
    }),
  ];
}

const notLoaded = (): HttpAnswer =>
  problem(problems.unavailable, messages.noIndex, {
    retryAfterS: 5,
  });

interface Common {
  readonly language?: string;
  readonly bias?: string;
  readonly limit?: number;
}

function placeQuery({ language, bias, limit }: Common): Asked<PlaceQuery> {
  const tag = askedLanguage(language);
  if (!tag.ok) return tag;
  const near: Asked<LatLng | undefined> =
    bias === undefined ? { ok: true, value: undefined } : askedLatLng('bias', bias);
  if (!near.ok) return near;
  return {
    ok: true,
    value: {
      language: tag.value,
      limit: limit ?? resultsDefault,
      ...(near.value === undefined ? {} : { near: near.value }),
    },
  };
}

interface GeocodeQuery extends Common {
  readonly address?: string;
  readonly latlng?: string;
  readonly place_id?: string;
}

function geocode(geocoder: Geocoder, asked: GeocodeQuery): HttpAnswer {
  const query = placeQuery(asked);
  const found = query.ok ? placesFor(geocoder, asked, query.value) : query;
  if (!found.ok) {
    const body: GeocodeAnswer = { results: [], status: 'INVALID_REQUEST', error_message: found.message };
    return { status: 400, body };
  }
  const results = found.value.map(({ result }) => result);
  const body: GeocodeAnswer = { results, status: results.length === 0 ? 'ZERO_RESULTS' : 'OK' };
  return { status: 200, headers: cached, body };
}

/** Useful to one person only, and stale when the map changes. */
const cached = { 'cache-control': 'private, max-age=60' } as const;

function placesFor(
  geocoder: Geocoder,
  { address, latlng, place_id: placeId }: GeocodeQuery,
  query: PlaceQuery,
): Asked<GeocodedPlace[]> {
  const given = [address, latlng, placeId].filter((each) => each !== undefined).length;
  if (given !== 1) return { ok: false, message: messages.exactlyOne };
  if (latlng !== undefined) {
    const location = askedLatLng('latlng', latlng);
    return location.ok ? { ok: true, value: geocoder.at(location.value, query) } : location;
  }
  if (placeId !== undefined) {
    const place = geocoder.byId(placeId, query.language);
    return { ok: true, value: place === undefined ? [] : [place] };
  }
  const text = askedText('address', address ?? '');
  return text.ok ? { ok: true, value: geocoder.search(text.value, query) } : text;
}

function autocomplete(geocoder: Geocoder, asked: Common & { readonly input?: string }): HttpAnswer {
  const query = placeQuery(asked);
  const input = askedText('input', asked.input ?? '');
  if (!query.ok || !input.ok) {
    const message = query.ok ? (input.ok ? '' : input.message) : query.message;
    const body: AutocompleteAnswer = { predictions: [], status: 'INVALID_REQUEST', error_message: message };
    return { status: 400, body };
  }
  const { near } = query.value;
  const predictions = geocoder
    .complete(input.value, query.value)
    .map(({ result, location, mainText, secondaryText }) => ({
      description: result.formatted_address,
      place_id: result.place_id,
      structured_formatting: { main_text: mainText, secondary_text: secondaryText },
      types: result.types,
      location,
      ...(near === undefined ? {} : { distance_meters: Math.round(metresBetween(near, location)) }),
    }));
  const body: AutocompleteAnswer = {
    predictions,
    status: predictions.length === 0 ? 'ZERO_RESULTS' : 'OK',
  };
  return { status: 200, headers: cached, body };
}
