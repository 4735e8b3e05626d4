import { limits } from '#routing-engine/network/limits.js';
import type { TripQuestion } from '../ports/routing-questions.js';
import { generalOptions } from './general-options.js';
import { lineOptions } from './line-options.js';
import { type LineStyle, lineDetails, lineStyle, wrongLineValue } from './line-query.js';
import { messages } from './messages.js';
import { type OptionsOf, type OptionTable, oneOf, toggle } from './option.js';
import { isRefusal, type OsrmRefusal } from './refusal.js';
import { type OsrmRequest, parseServiceQuery, type WaypointStyle } from './service-query.js';
import { speedOptions } from './vehicle-options.js';

export const tripOptions = {
  ...generalOptions,
  ...speedOptions,
  ...lineOptions,
  destination: oneOf(['any', 'last']),
  roundtrip: toggle,
  source: oneOf(['any', 'first']),
} as const satisfies OptionTable;

type TripOptions = OptionsOf<typeof tripOptions>;

export interface TripQuery {
  readonly question: TripQuestion;
  readonly line: LineStyle;
  readonly waypoints: WaypointStyle;
}

export function parseTripQuery(request: OsrmRequest, languages: readonly string[]): TripQuery | OsrmRefusal {
  const asked = parseServiceQuery(request, {
    service: 'trip',
    options: tripOptions,
    coordinatesMin: 2,
    wrongOptions: () => undefined,
    tooBig: (_: TripOptions, { length }) =>
      length > limits.stopsMax ? messages.tooManyStops(length, limits.stopsMax) : undefined,
    wrongValue: (options: TripOptions) => wrongLineValue(options, languages),
  });
  if (isRefusal(asked)) return asked;
  const { options, waypoints, ...question } = asked;
  const rules = {
    roundtrip: options.roundtrip ?? true,
    fromFirst: options.source === 'first',
    toLast: options.destination === 'last',
  };
  if (!rules.roundtrip && !rules.fromFirst && !rules.toLast)
    return { code: 'NotImplemented', message: messages.openTrip };
  const line = lineStyle(options, languages);
  return { question: { ...question, ...rules, ...lineDetails(options, line) }, line, waypoints };
}
