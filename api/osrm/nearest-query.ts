import { limits } from '#routing-engine/network/limits.js';
import type { NearestQuestion } from '../ports/routing-questions.js';
import { generalOptions } from './general-options.js';
import { messages } from './messages.js';
import { type OptionsOf, type OptionTable, readCount } from './option.js';
import { isRefusal, type OsrmRefusal } from './refusal.js';
import { type OsrmRequest, parseServiceQuery, type WaypointStyle } from './service-query.js';

export const nearestOptions = {
  ...generalOptions,
  number: { form: 'a number of at least 1', read: readCount },
} as const satisfies OptionTable;

export interface NearestQuery {
  readonly question: NearestQuestion;
  readonly waypoints: WaypointStyle;
}

type NearestOptions = OptionsOf<typeof nearestOptions>;

export function parseNearestQuery(request: OsrmRequest): NearestQuery | OsrmRefusal {
  const asked = parseServiceQuery(request, {
    service: 'nearest',
    options: nearestOptions,
    coordinatesMin: 1,
    wrongOptions: ({ number }: NearestOptions) => (number === 0 ? messages.noResults : undefined),
    tooBig: ({ number = 1 }: NearestOptions, { length }) => {
      if (number > limits.snapPiecesMax) return messages.tooManyResults(number, limits.snapPiecesMax);
      return length > limits.stopsMax ? messages.tooManyStops(length, limits.stopsMax) : undefined;
    },
    wrongValue: () => undefined,
  });
  if (isRefusal(asked)) return asked;
  const { options, waypoints, ...question } = asked;
  return { question: { ...question, count: options.number ?? 1 }, waypoints };
}
