import { type HttpAnswer, type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import { getNominatimLookup, getNominatimReverse, getNominatimSearch } from '#schemas/http/nominatim.js';
import { noIndex } from '../geocode/messages.js';
import type { AddressedPlace, PlaceFinder } from '../ports/place-finder.js';
import { geocodeJson, geoJson, placeJson } from './json-answer.js';
import { parseLookup } from './lookup-query.js';
import { notFound, tooManyPoints } from './messages.js';
import type { OutputOptions } from './output-options.js';
import { parseReverse } from './reverse-query.js';
import { parseSearch } from './search-query.js';
import { errorXml, placesXml, placeXml, xmlType } from './xml-answer.js';

export interface NominatimDeps {
  /** Undefined while no index is loaded. */
  readonly finder: () => PlaceFinder | undefined;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
  /** Points of the borders in one answer; more are refused. */
  readonly borderPointsMax?: number;
}

/** Nominatim's operations, so that its clients work unchanged. */
export function nominatimRoutes({
  finder,
  nowMs,
  borderPointsMax = 200_000,
}: NominatimDeps): readonly Route[] {
  const withFinder = (answer: (places: PlaceFinder) => HttpAnswer): HttpAnswer => {
    const places = finder();
    return places === undefined ? problem(problems.unavailable, noIndex, { retryAfterS: 5 }) : answer(places);
  };
  const bounded = (
    places: readonly AddressedPlace[],
    { geometry, format }: OutputOptions,
    answer: () => HttpAnswer,
  ): HttpAnswer => {
    const points =
      geometry === undefined ? 0 : places.reduce((sum, { border }) => sum + (border?.points ?? 0), 0);
    return points > borderPointsMax ? refused(tooManyPoints(points, borderPointsMax), format) : answer();
  };
  return [
    route(getNominatimSearch, (request) =>
      withFinder((places) => {
        const asked = parseSearch(request.query, request.header('accept-language'), places);
        if (typeof asked === 'string') return refused(asked, request.query.format ?? 'jsonv2');
        const { output, text } = asked;
        const root = { name: 'searchresults', query: text, nowMs: nowMs() } as const;
        const found = asked.find();
        return bounded(found, output, () => ofPlaces(found, output, root));
      }),
    ),
    route(getNominatimLookup, (request) =>
      withFinder((places) => {
        const asked = parseLookup(request.query, request.header('accept-language'), places);
        if (typeof asked === 'string') return refused(asked, request.query.format ?? 'jsonv2');
        const { output, text } = asked;
        const root = { name: 'lookupresults', query: text, nowMs: nowMs() } as const;
        const found = asked.find();
        return bounded(found, output, () => ofPlaces(found, output, root));
      }),
    ),
    route(getNominatimReverse, (request) =>
      withFinder((places) => {
        const asked = parseReverse(request.query, request.header('accept-language'), places);
        if (typeof asked === 'string') return refused(asked, request.query.format ?? 'xml');
        const { output, text } = asked;
        const found = asked.find();
        const root = { query: text, nowMs: nowMs() };
        return bounded(found === undefined ? [] : [found], output, () => ofPlace(found, output, root));
      }),
    ),
  ];
}

/** Useful to one person only, and stale when the map changes. */
const cached = { 'cache-control': 'private, max-age=60' } as const;

const json = (body: object): HttpAnswer => ({ status: 200, headers: cached, body });
const xml = (body: string): HttpAnswer => ({ status: 200, headers: cached, body, contentType: xmlType });

const refused = (message: string, format: string): HttpAnswer =>
  format === 'xml'
    ? { status: 400, body: errorXml(400, message), contentType: xmlType }
    : { status: 400, body: { error: { code: 400, message } } };

function ofPlaces(
  places: readonly AddressedPlace[],
  output: OutputOptions,
  root: { readonly name: 'searchresults' | 'lookupresults'; readonly query: string; readonly nowMs: number },
): HttpAnswer {
  switch (output.format) {
    case 'xml':
      return xml(placesXml(places, output, root));
    case 'geojson':
      return json(geoJson(places, output));
    case 'geocodejson':
      return json(geocodeJson(places, output, root.name === 'searchresults' ? root.query : undefined));
    case 'json':
    case 'jsonv2':
      return json(places.map((place) => placeJson(place, output)));
  }
}

function ofPlace(
  place: AddressedPlace | undefined,
  output: OutputOptions,
  root: { readonly query: string; readonly nowMs: number },
): HttpAnswer {
  if (output.format === 'xml') return xml(placeXml(place, output, { name: 'reversegeocode', ...root }));
  if (place === undefined) return json({ error: notFound });
  if (output.format === 'geojson') return json(geoJson([place], output));
  if (output.format === 'geocodejson') return json(geocodeJson([place], output, undefined));
  return json(placeJson(place, output));
}
