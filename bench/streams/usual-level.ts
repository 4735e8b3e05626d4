import { clockColumns } from '#routing-engine/arrival-times/route-features.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { mondayMs, priorTrips } from './prior-worlds.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const [hour, weekend] = clockColumns;

/** ln of what trips take beyond the physical time in the traffic of a week, by the clock of their row. */
export type UsualLevel = (row: readonly number[]) => number;

/** From one place of each map for each hour of a weekday and of a day of the weekend. */
export function usualLevel(networks: readonly RoadNetwork[], firstSeed: number): UsualLevel {
  const sums = new Map<number, { trips: number; level: number }>();
  let seed = firstSeed;
  for (const startDay of [2, 5])
    for (let at = 0; at < 24; at++)
      for (const network of networks) {
        const startMs = mondayMs + startDay * dayMs + at * hourMs;
        const fixed = { traffic: 'weeks', known: 0, pace: 1, tripsPerHour: 30, startMs } as const;
        for (const trip of priorTrips(network, seed++, fixed)) {
          const key = keyOf(trip.row);
          const { trips, level } = sums.get(key) ?? { trips: 0, level: 0 };
          sums.set(key, { trips: trips + 1, level: level + Math.log(trip.actualS / trip.physicalS) });
        }
      }
  const known = new Map([...sums].map(([key, { trips, level }]) => [key, level / trips]));
  return (row) => known.get(keyOf(row)) ?? 0;
}

/** Half hours of a day. */
const keyOf = (row: readonly number[]): number => Math.floor(2 * row[hour]!) + 48 * row[weekend]!;
