import { limits } from '#routing-engine/network/limits.js';
import { isMotorized } from '#routing-engine/network/travel-mode.js';
import type { Mode } from '../ports/planner.js';
import type { ThroughQuestion } from '../ports/routing-questions.js';
import { generalOptions } from './general-options.js';
import { lineOptions } from './line-options.js';
import { type LineStyle, lineDetails, lineStyle, wrongLineValue } from './line-query.js';
import { messages } from './messages.js';
import { indices, type OptionsOf, type OptionTable, oneOf, readCount } from './option.js';
import { isRefusal, type OsrmRefusal } from './refusal.js';
import { type OsrmRequest, parseServiceQuery, type WaypointStyle } from './service-query.js';
import { speedOptions } from './vehicle-options.js';

const alternativesMax = 3;

function readAlternatives(text: string): number | undefined {
  if (text === 'true') return 2;
  return text === 'false' ? 0 : readCount(text);
}

export const routeOptions = {
  ...generalOptions,
  ...speedOptions,
  ...lineOptions,
  alternatives: { form: 'true, false or a number', read: readAlternatives },
  continue_straight: oneOf(['default', 'true', 'false']),
  waypoints: indices,
} as const satisfies OptionTable;

type RouteOptions = OptionsOf<typeof routeOptions>;

/** A query, and the requested parts of the answer. */
export interface RouteQuery {
  readonly question: ThroughQuestion;
  readonly line: LineStyle;
  readonly waypoints: WaypointStyle;
}

export function parseRouteQuery(
  request: OsrmRequest,
  languages: readonly string[],
): RouteQuery | OsrmRefusal {
  const asked = parseServiceQuery(request, {
    service: 'route',
    options: routeOptions,
    coordinatesMin: 2,
    wrongOptions: ({ waypoints }: RouteOptions, { length }) => {
      const beyond = waypoints?.find((index) => index >= length);
      return beyond === undefined ? undefined : messages.noCoordinate(beyond);
    },
    tooBig: ({ alternatives = 0 }: RouteOptions, { length }) => {
      if (length > limits.stopsMax) return messages.tooManyStops(length, limits.stopsMax);
      return alternatives > alternativesMax ? messages.tooManyAlternatives(alternativesMax) : undefined;
    },
    wrongValue: (options: RouteOptions, { length }) =>
      wrongWaypoints(options, length) ?? wrongLineValue(options, languages),
  });
  if (isRefusal(asked)) return asked;
  const { options, mode, vehicle, topSpeedKph, stops, avoid, stopsOnFerries, waypoints } = asked;
  const line = lineStyle(options, languages);
  const goOn = continuesStraight(options, mode);
  return {
    question: {
      ...{ mode, stops, avoid, stopsOnFerries },
      ...(vehicle === undefined ? {} : { vehicle }),
      ...(topSpeedKph === undefined ? {} : { topSpeedKph }),
      legEnds: legEnds(options, stops),
      alternatives: options.alternatives ?? 0,
      ...(goOn === undefined ? {} : { goOn }),
      ...lineDetails(options, line),
    },
    line,
    waypoints,
  };
}

function wrongWaypoints({ waypoints }: RouteOptions, length: number): string | undefined {
  if (waypoints === undefined || (waypoints[0] === 0 && waypoints.at(-1) === length - 1)) return undefined;
  return messages.waypointEnds;
}

/**
 * Undefined: go straight on unless there is no other route. As in OSRM's profiles, this applies to drivers
 * only.
 */
function continuesStraight({ continue_straight: asked }: RouteOptions, mode: Mode): boolean | undefined {
  if (asked === 'true' || asked === 'false') return asked === 'true';
  return isMotorized(mode) ? undefined : false;
}

const legEnds = ({ waypoints }: RouteOptions, stops: readonly unknown[]): number[] =>
  stops.flatMap((_, at) => (at > 0 && (waypoints?.includes(at) ?? true) ? [at] : []));
