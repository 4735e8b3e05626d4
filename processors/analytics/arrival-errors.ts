import type { TopicCodecs } from '#platform/wire/topic-codecs.js';
import type { ArrivalObserved } from '#schemas/messages.js';
import type { Aggregation } from './aggregate-topology.js';
import { dayOf } from './day-of.js';
import { corridorHoursMax, waitsMs } from './limits.js';

/** A row: the trips of one corridor that set out in one hour. */
interface ArrivalErrorRow {
  readonly corridor: string;
  readonly hourMs: number;
  readonly trips: number;
  readonly actualS: number;
  readonly metricError: number;
  readonly error: number;
  readonly bias: number;
  readonly covered: number;
}

/** Sums over its trips, each by another driver. */
interface CorridorHour {
  readonly drivers: Set<number>;
  readonly sinceMs: number;
  actualS: number;
  metricError: number;
  error: number;
  bias: number;
  covered: number;
}

type Sums = Omit<CorridorHour, 'drivers'>;
type PlainHour = readonly [key: string, sums: Sums, drivers: readonly number[]];

const hourMs = 3_600_000;
/** This long after an hour, all trips that started in it have ended, except for very long ones. */
const drivenMs = 2 * hourMs;

/** The error of predicted times, by corridor and hour, for trips by enough distinct drivers. */
export function arrivalErrors(
  codec: TopicCodecs['navArrivalObserved'],
  tilesetId: string,
  driversMin: number,
): Aggregation<ArrivalObserved, Map<string, CorridorHour>, readonly PlainHour[], ArrivalErrorRow> {
  const hourOf = (key: string): number => Number(key.slice(0, key.indexOf(' ')));
  const isOver = (key: string, nowMs: number): boolean => hourOf(key) + hourMs + drivenMs <= nowMs;
  return {
    group: 'analytics-arrivals',
    tilesetId,
    codec,
    table: {
      name: 'arrivals',
      columns: [
        { name: 'departed_hour', type: 'TIMESTAMP', of: (row) => new Date(row.hourMs) },
        { name: 'day', type: 'STRING', of: (row) => dayOf(row.hourMs) },
        { name: 'corridor', type: 'STRING', of: ({ corridor }) => corridor },
        { name: 'trips', type: 'INT32', of: ({ trips }) => trips },
        { name: 'actual_s', type: 'DOUBLE', of: ({ actualS }) => actualS },
        { name: 'metric_error', type: 'DOUBLE', of: ({ metricError }) => metricError },
        { name: 'said_error', type: 'DOUBLE', of: ({ error }) => error },
        { name: 'said_bias', type: 'DOUBLE', of: ({ bias }) => bias },
        { name: 'covered', type: 'DOUBLE', of: ({ covered }) => covered },
      ],
      // The corridor's first cell: a part of the town in which the trips begin.
      placeOf: (row) => ({ day: dayOf(row.hourMs), area: `cell-${row.corridor.split('>')[0]}` }),
      compare: (a, b) => a.hourMs - b.hourMs || (a.corridor < b.corridor ? -1 : 1),
    },
    fresh: () => new Map(),
    toPlain: (hours) => [...hours].map(([key, { drivers, ...sums }]) => [key, sums, [...drivers]]),
    fromPlain: (plain) =>
      new Map(plain.map(([key, sums, drivers]) => [key, { ...sums, drivers: new Set(drivers) }])),
    timeMs: (_, timestampMs) => timestampMs,
    add(hours, trip, nowMs) {
      if (trip.tilesetId !== tilesetId) return 'foreign';
      if (!(trip.actualS > 0 && trip.saidS >= 0) || !/^\d{1,9}>\d{1,9}$/u.test(trip.corridor))
        return 'implausible';
      const key = `${Math.floor(trip.departedMs / hourMs) * hourMs} ${trip.corridor}`;
      const known = hours.get(key);
      if (known === undefined && hours.size >= corridorHoursMax) return 'full';
      const hour = known ?? fresh(nowMs);
      if (known === undefined) hours.set(key, hour);
      // Trips without a prediction have no error.
      if (trip.saidS === 0 || hour.drivers.has(trip.driver)) return 'counted';
      const off = trip.saidS / trip.actualS - 1;
      hour.drivers.add(trip.driver);
      hour.actualS += trip.actualS;
      hour.metricError += Math.abs(trip.metricS / trip.actualS - 1);
      hour.error += Math.abs(off);
      hour.bias += off;
      hour.covered += trip.lowS <= trip.actualS && trip.actualS <= trip.highS ? 1 : 0;
      return 'counted';
    },
    finished: (hours, nowMs) =>
      [...hours].flatMap(([key, { drivers, actualS, metricError, error, bias, covered }]) => {
        const trips = drivers.size;
        if (trips < driversMin || !isOver(key, nowMs)) return [];
        return [
          {
            ...{ corridor: key.slice(key.indexOf(' ') + 1), hourMs: hourOf(key), trips },
            actualS: actualS / trips,
            metricError: metricError / trips,
            error: error / trips,
            bias: bias / trips,
            covered: covered / trips,
          },
        ];
      }),
    forget(hours, nowMs) {
      let withheld = 0;
      for (const [key, { drivers, sinceMs }] of hours) {
        const isSaid = drivers.size >= driversMin && isOver(key, nowMs);
        const isVain = !isSaid && isOver(key, nowMs) && sinceMs + waitsMs <= nowMs;
        if (isVain) withheld++;
        if (isSaid || isVain) hours.delete(key);
      }
      return { withheld };
    },
  };
}

const fresh = (nowMs: number): CorridorHour => ({
  ...{ drivers: new Set<number>(), sinceMs: nowMs },
  ...{ actualS: 0, metricError: 0, error: 0, bias: 0, covered: 0 },
});
