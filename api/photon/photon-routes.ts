import { type HttpAnswer, type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import { getPhotonReverse, getPhotonSearch } from '#schemas/http/photon.js';
import { noIndex } from '../geocode/messages.js';
import type { AddressedPlace, PlaceFinder } from '../ports/place-finder.js';
import { photonAnswer } from './photon-answer.js';
import { parseReverse } from './reverse-query.js';
import { parseSearch } from './search-query.js';

/** Photon's operations, so that its clients work unchanged. There is no finder while no index is loaded. */
export function photonRoutes(finder: () => PlaceFinder | undefined): readonly Route[] {
  const answer = (parse: (places: PlaceFinder) => (() => AddressedPlace[]) | string): HttpAnswer => {
    const places = finder();
    if (places === undefined) return problem(problems.unavailable, noIndex, { retryAfterS: 5 });
    const find = parse(places);
    return typeof find === 'string'
      ? { status: 400, body: { message: find } }
      : { status: 200, headers: cached, body: photonAnswer(find()) };
  };
  return [
    route(getPhotonSearch, (request) =>
      answer((places) => parseSearch(request.query, request.header('accept-language'), places)),
    ),
    route(getPhotonReverse, (request) =>
      answer((places) => parseReverse(request.query, request.header('accept-language'), places)),
    ),
  ];
}

/** Useful to one person only, and stale when the map changes. */
const cached = { 'cache-control': 'private, max-age=60' } as const;
