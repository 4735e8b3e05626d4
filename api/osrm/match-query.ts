import { limits } from '#routing-engine/network/limits.js';
import type { AskedPoint } from '#routing-engine/tasks/trace-task.js';
import type { TraceQuestion } from '../ports/routing-questions.js';
import { generalOptions } from './general-options.js';
import { lineOptions } from './line-options.js';
import { type LineStyle, lineDetails, lineStyle, wrongLineValue } from './line-query.js';
import { messages } from './messages.js';
import { indices, type Option, type OptionsOf, type OptionTable, oneOf, toggle } from './option.js';
import { isRefusal, type OsrmRefusal } from './refusal.js';
import { type OsrmRequest, parseServiceQuery, type WaypointStyle } from './service-query.js';
import { tidyTrace } from './tidy-trace.js';
import { vehicleOptions } from './vehicle-options.js';

/** Since 1970, or since any other moment. */
const seconds: Option<number[]> = {
  form: '{seconds};{seconds};…, one for each coordinate',
  read: (text) => {
    const times = text.split(';');
    return times.every((time) => /^\d{1,10}$/.test(time)) ? times.map(Number) : undefined;
  },
};

export const matchOptions = {
  ...generalOptions,
  ...lineOptions,
  gaps: oneOf(['split', 'ignore']),
  tidy: toggle,
  timestamps: seconds,
  waypoints: indices,
} as const satisfies OptionTable;

type MatchOptions = OptionsOf<typeof matchOptions>;

/** A query, and the requested parts of the answer. */
export interface MatchQuery {
  readonly question: TraceQuestion;
  /** Index of each matched point among the coordinates; `tidy` leaves some out. */
  readonly kept: readonly number[];
  readonly coordinates: number;
  readonly line: LineStyle;
  readonly waypoints: WaypointStyle;
}

/** Default standard deviation of a point, as in OSRM; the engine reads the radius of a 68 % circle. */
const deviationM = 5;
const accuracyPerDeviation = 1.515;
/** A pause of more than this many usual intervals breaks a trace, as in OSRM. */
const gapIntervals = 10;
/** Without timestamps, time limits nothing: so much that any drive is slow. */
const untimedMs = 3_600_000;

export function parseMatchQuery(
  request: OsrmRequest,
  languages: readonly string[],
): MatchQuery | OsrmRefusal {
  const asked = parseServiceQuery(request, {
    service: 'match',
    options: matchOptions,
    coordinatesMin: 2,
    wrongOptions: ({ timestamps, waypoints }: MatchOptions, { length }) => {
      const times = timestamps?.length ?? length;
      if (times !== length) return messages.elements('timestamps', times, length);
      const beyond = waypoints?.find((index) => index >= length);
      return beyond === undefined ? undefined : messages.noCoordinate(beyond);
    },
    tooBig: (_: MatchOptions, { length }) =>
      length > limits.stopsMax ? messages.tooManyStops(length, limits.stopsMax) : undefined,
    wrongValue: ({ timestamps, ...options }: MatchOptions, { length }) =>
      timestamps?.some((time, at) => time < (timestamps[at - 1] ?? 0))
        ? messages.timesDescend
        : (wrongEnds(options.waypoints, length) ?? wrongLineValue(options, languages)),
  });
  if (isRefusal(asked)) return asked;
  const sized = Object.keys(vehicleOptions).find((name) => name in request.query);
  if (sized !== undefined) return { code: 'InvalidOptions', message: messages.noSizes(sized) };
  // A point may be on a ferry: whoever travelled on one has points there.
  const { options, mode, stops, avoid, waypoints } = asked;
  const line = lineStyle(options, languages);
  const { timestamps, tidy = false, gaps = 'split' } = options;
  const kept = tidy
    ? tidyTrace(
        stops.map(({ point }) => point),
        timestamps,
      )
    : stops.map((_, at) => at);
  const times = timestamps && kept.map((at) => timestamps[at]!);
  const points = kept.map((at): AskedPoint => {
    const accuracyM = accuracyPerDeviation * (options.radiuses?.[at] ?? deviationM);
    return { ...stops[at]!, accuracyM, timeMs: 0 };
  });
  return {
    question: {
      ...{ mode, avoid },
      points: timed(points, times),
      gapMaxMs: gaps === 'split' && times !== undefined ? gapOf(times) : Number.POSITIVE_INFINITY,
      ...(options.waypoints === undefined ? {} : { legEnds: keptEnds(options.waypoints, kept) }),
      ...lineDetails(options, line),
    },
    kept,
    coordinates: stops.length,
    line,
    waypoints,
  };
}

const wrongEnds = (waypoints: readonly number[] | undefined, length: number): string | undefined =>
  waypoints === undefined || (waypoints[0] === 0 && waypoints.at(-1) === length - 1)
    ? undefined
    : messages.waypointEnds;

/** Points at the same second are in their order. */
function timed(points: readonly AskedPoint[], times: readonly number[] | undefined): AskedPoint[] {
  let lastMs = 0;
  return points.map((point, at) => {
    const timeMs = times === undefined ? untimedMs * at : Math.max(1_000 * times[at]!, lastMs + 1);
    lastMs = timeMs;
    return { ...point, timeMs };
  });
}

function gapOf(times: readonly number[]): number {
  const intervals = times.slice(1).map((time, at) => time - times[at]!);
  const median = intervals.toSorted((a, b) => a - b)[intervals.length >> 1] ?? 1;
  return 1_000 * gapIntervals * Math.max(1, median);
}

/** Of a point that was left out, the one before it is the waypoint. */
const keptEnds = (waypoints: readonly number[], kept: readonly number[]): number[] => [
  ...new Set(waypoints.map((waypoint) => kept.findLastIndex((at) => at <= waypoint))),
];
